package io.github.leaderelection.zookeeper;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Lets candidates in as the connection has room for them. Thousands that came all at once would be in each other's way: a
 * beat would be answered after all that they have sent, and leases would be over by then. So those that have begun go on
 * first, and are soon settled. Confined to the loop.
 */
final class Admission {

    /** So many that the server is never idle; so few that a beat among them does not take long. */
    static final int MOST_UNDER_WAY = 256;

    private final int mostUnderWay;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int underWay;

    Admission(int mostUnderWay) {
        this.mostUnderWay = mostUnderWay;
    }

    boolean hasRoom() {
        return underWay < mostUnderWay;
    }

    /** To be called while there is no room: the answers to what is under way make some. */
    void whenThereIsRoom(Runnable entry) {
        waiting.add(entry);
    }

    void sent() {
        underWay++;
    }

    void answered() {
        underWay--;
        while (hasRoom() && !waiting.isEmpty()) {
            waiting.remove().run();
        }
    }

    /** What was under way is no longer waited for, and whoever waited begins anew on the next session. */
    void expired() {
        underWay = 0;
        waiting.clear();
    }
}
