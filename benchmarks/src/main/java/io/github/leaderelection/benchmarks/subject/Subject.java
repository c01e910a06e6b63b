package io.github.leaderelection.benchmarks.subject;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/** An implementation of leader election. */
public interface Subject {

    String name();

    /**
     * This subject with another lease than its default, if it has one.
     *
     * @param millis 0: the default
     */
    default Subject withLease(int millis) {
        return this;
    }

    /** Connects to ZooKeeper. Only the client is set up: the first call of the election library comes with a candidate. */
    Connection connect(String address, int sessionTimeoutMillis);

    /** A connection to ZooKeeper with any number of candidates. */
    interface Connection extends AutoCloseable {

        /**
         * A candidate that has not joined its election yet.
         *
         * @param onGranted called on any thread each time the candidate becomes leader; must not block
         */
        Candidate candidate(String path, Runnable onGranted);

        /** The id of the ZooKeeper session. */
        long session();

        /** Leaves all elections in the fastest orderly way. May return before that is done. */
        void leaveAll();

        /** Closes all candidates and the connection. */
        @Override
        void close();

        /** Closes connections in parallel: each may take a tenth of a second. */
        static void closeAll(Collection<Connection> connections) {
            CompletableFuture.allOf(connections.stream()
                            .map(connection -> CompletableFuture.runAsync(
                                    connection::close, task -> new Thread(task, "benchmark-close").start()))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }
    }

    /** A candidate of one election. */
    interface Candidate {

        /** Joins the election. May return before the candidate is in the queue. */
        void start();

        /** Gives up leadership and goes to the end of the queue. May return before that is done. */
        void stepDown();

        /** Leaves the election. May return before that is done. */
        void close();

        boolean isLeader();
    }
}
