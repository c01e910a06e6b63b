package io.github.leaderelection.zookeeper.client;

import java.util.List;
import org.apache.zookeeper.CreateMode;

/** The engine's requests to ZooKeeper, as values, so that a simulation can answer them too. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public sealed interface Request {

    byte[] NO_DATA = {};

    String path();

    record Create(String path, byte[] data, CreateMode mode) implements Request {}

    record Delete(String path, int version) implements Request {}

    record Set(String path, byte[] data, int version) implements Request {}

    /** Fails unless the node exists with that version, or with any version if it is -1; only inside a {@link Multi}. */
    record Check(String path, int version) implements Request {
        public Check(String path) {
            this(path, -1);
        }
    }

    record Get(String path, boolean watch) implements Request {}

    record Exists(String path, boolean watch) implements Request {
        public Exists(String path) {
            this(path, false);
        }
    }

    record Children(String path, boolean watch) implements Request {}

    /** Several reads in one packet, one after the other; none of them sets a watch. */
    record Reads(List<Request> parts) implements Request {
        @Override
        public String path() {
            return parts.get(0).path();
        }
    }

    record Multi(List<Request> parts) implements Request {
        @Override
        public String path() {
            return parts.get(0).path();
        }
    }

    /** Sets a persistent watch. */
    record AddWatch(String path) implements Request {}

    /** Removes all watches on a node, or only its data watches, including those of others on this connection. */
    record RemoveWatches(String path, boolean persistent) implements Request {}
}
