package io.github.leaderelection.benchmarks.subject;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One way to elect a leader. */
public interface Subject {

    /** All of them; the first is what the others are compared with. */
    List<Subject> ALL = List.of(
            new BareRecipe(),
            new CuratorLeaderLatch(),
            new CuratorLeaderSelector(),
            new SpringLeaderInitiator(),
            new Ours());

    static Subject named(String name) {
        return ALL.stream()
                .filter(subject -> subject.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    String name();

    /** Connects as one process would; returns once connected. */
    Connection connect(String address, int sessionTimeoutMillis);

    /** One process: a connection and the elections on it. */
    interface Connection extends AutoCloseable {

        /**
         * A candidate that does not take part yet.
         *
         * @param onGranted called each time it leads, on whatever thread; it must not block
         */
        Candidate candidate(String path, Runnable onGranted);

        /** The id of its session with ZooKeeper. */
        long session();

        /** Leaves all elections in the fastest orderly way, and returns once that is on its way. */
        void leaveAll();

        /** Ends the connection. */
        @Override
        void close();

        /** Ends connections, all at the same time: some of them take a tenth of a second. */
        static void closeAll(Collection<Connection> connections) {
            CompletableFuture.allOf(connections.stream()
                            .map(connection -> CompletableFuture.runAsync(
                                    connection::close, task -> new Thread(task, "benchmark-close").start()))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }
    }

    /** One candidate of one election. */
    interface Candidate {

        /** Takes part from now on; may return before it is in the queue. */
        void start();

        /** Gives leadership up and goes to the end of the queue; may return before it is done. */
        void stepDown();

        /** Leaves; may return before it is done. */
        void close();

        boolean isLeader();
    }
}
