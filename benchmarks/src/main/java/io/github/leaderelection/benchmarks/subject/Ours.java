package io.github.leaderelection.benchmarks.subject;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.zookeeper.ElectionOptions;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import java.time.Duration;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** Our elections with a listener, and with their default options except for the lease in places. */
public final class Ours implements Subject {

    private final ElectionOptions options;

    public Ours() {
        this(ElectionOptions.defaults());
    }

    private Ours(ElectionOptions options) {
        this.options = options;
    }

    @Override
    public Subject withLease(int millis) {
        return millis == 0 ? this : new Ours(options.lease(Duration.ofMillis(millis)));
    }

    @Override
    public String name() {
        return "ours";
    }

    @Override
    public Connection connect(String address, int sessionTimeoutMillis) {
        return new ElectionConnection(Clients.connect(address, sessionTimeoutMillis), options);
    }

    private static final class ElectionConnection implements Connection {
        private final ZooKeeper client;
        private final ElectionOptions options;
        private @Nullable ZooKeeperElections elections;
        private int count;

        ElectionConnection(ZooKeeper client, ElectionOptions options) {
            this.client = client;
            this.options = options;
        }

        @Override
        public Candidate candidate(String path, Runnable onGranted) {
            if (elections == null) {
                elections = ZooKeeperElections.over(client, options);
            }
            // Without string concatenation, whose first use would count as ours where the JVM is cold.
            Election election = elections.election(String.valueOf(++count), path);
            election.addListener(new GrantedListener(onGranted));
            return new ElectionCandidate(election);
        }

        @Override
        public long session() {
            return client.getSessionId();
        }

        @Override
        public void leaveAll() {
            if (elections != null) {
                elections.close();
            }
        }

        @Override
        public void close() {
            leaveAll();
            Clients.close(client);
        }
    }

    private record GrantedListener(Runnable action) implements ElectionListener {
        @Override
        public void granted(Leadership term) {
            action.run();
        }
    }

    private record ElectionCandidate(Election election) implements Candidate {
        @Override
        public void start() {
            election.nominate();
        }

        @Override
        public void stepDown() {
            election.stepDown();
        }

        @Override
        public void close() {
            election.close();
        }

        @Override
        public boolean isLeader() {
            return election.isLeader();
        }
    }
}
