package io.github.leaderelection.zookeeper;

import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A candidate's own node.
 *
 * @param ctime when the server made it, in its time
 * @param armed whether a watch on it is known to be set: only then does an acknowledged beat prove that it is there
 * @param earned when the last beat that proved it was sent
 */
record Seat(
        String node,
        long czxid,
        long ctime,
        boolean armed,
        @Nullable Moment earned) {

    static Seat of(String node, Stat stat, boolean armed) {
        return new Seat(node, stat.getCzxid(), stat.getCtime(), armed, null);
    }

    Seat arm(boolean armed) {
        return new Seat(node, czxid, ctime, armed, earned);
    }

    Seat earn(Moment sent) {
        return new Seat(node, czxid, ctime, armed, sent);
    }

    boolean holds(long lease, Moment now) {
        return earned != null && earned.within(lease, now);
    }
}
