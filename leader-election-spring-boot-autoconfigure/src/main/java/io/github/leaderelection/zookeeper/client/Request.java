package io.github.leaderelection.zookeeper.client;

import java.util.List;
import org.apache.zookeeper.CreateMode;

/** What the engine asks of ZooKeeper, as values, so that a simulation can answer it too. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public sealed interface Request {

    byte[] NO_DATA = {};

    String path();

    record Create(String path, byte[] data, CreateMode mode) implements Request {}

    record Delete(String path, int version) implements Request {}

    record Set(String path, byte[] data, int version) implements Request {}

    /** That the node exists; only inside a {@link Multi}. */
    record Check(String path) implements Request {}

    record Get(String path, boolean watch) implements Request {}

    public record Exists(String path, boolean watch) implements Request {
        public Exists(String path) {
            this(path, false);
        }
    }

    record Children(String path, boolean watch) implements Request {}

    /** Proves nothing, so nothing here sends it; the simulation of an election that relies on it shows that. */
    record Sync(String path) implements Request {}

    /** The names of the children alone; only inside {@link Reads}. */
    record Names(String path) implements Request {}

    /** Several reads in one packet, one after the other; none of them sets a watch. */
    record Reads(List<Request> parts) implements Request {
        public long lists() {
            return parts.stream().filter(Names.class::isInstance).count();
        }

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

    /** A persistent watch. */
    record AddWatch(String path) implements Request {}

    /** Takes every watch off a node, those of others on this connection too. */
    record RemoveWatches(String path, boolean persistent) implements Request {}
}
