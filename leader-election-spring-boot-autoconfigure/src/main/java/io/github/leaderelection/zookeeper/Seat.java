package io.github.leaderelection.zookeeper;

import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A candidate's own node.
 *
 * @param path the same String instance that the watch is registered under, to save memory
 * @param session on which it was made
 * @param ctime when the server made it, in its time
 * @param armed whether a watch on it is known to be set, if need be again before anything else is answered: only then
 *     does an acknowledged beat prove that it is there
 * @param earned when the last beat that proved it was sent
 */
record Seat(
        String path,
        long session,
        long czxid,
        long ctime,
        boolean armed,
        @Nullable Moment earned) {

    static Seat of(String path, long session, Stat stat, boolean armed) {
        return new Seat(path, session, stat.getCzxid(), stat.getCtime(), armed, null);
    }

    /** The node's name, by which the record knows it. */
    String node() {
        return Paths.name(path);
    }

    Candidacy candidacy() {
        return new Candidacy(NodeName.guid(node()), session);
    }

    Seat arm(boolean armed) {
        return new Seat(path, session, czxid, ctime, armed, earned);
    }

    Seat earn(Moment sent) {
        return new Seat(path, session, czxid, ctime, armed, sent);
    }

    boolean holds(long lease, Moment now) {
        return earned != null && earned.within(lease, now);
    }
}
