package io.github.leaderelection.benchmarks.subject;

import java.util.List;

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
    Member connect(String address, int sessionTimeoutMillis);

    /** One process: a connection and the elections on it. */
    interface Member extends AutoCloseable {

        /**
         * A candidate that does not take part yet.
         *
         * @param onLed called each time it leads, on whatever thread; it must not block
         */
        Contender contender(String path, Runnable onLed);

        /** The id of its session with ZooKeeper. */
        long session();

        /** Leaves all elections in the fastest orderly way, and returns once that is on its way. */
        void leaveAll();

        /** Ends the connection. */
        @Override
        void close();
    }

    /** One candidate of one election. */
    interface Contender {

        /** Takes part from now on; may return before it is in the queue. */
        void start();

        /** Gives leadership up and goes to the end of the queue; may return before it is done. */
        void stepDown();

        /** Leaves; may return before it is done. */
        void close();

        boolean isLeader();
    }
}
