package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.znode.Paths;
import org.jspecify.annotations.Nullable;

/**
 * The candidate that is followed: the one right before us in the queue, or the holder of the record.
 *
 * @param heartbeat the path of its connection's heartbeat; empty as long as that is not known
 * @param watched whether a watch on it is known to be set
 * @param session the session of its node, if it keeps the rules that let its heir take over from it; otherwise 0
 * @param refused whether ZooKeeper has refused to let us take over from it
 * @param attemptedAt when taking over from it last failed, by the monotonic clock; null if it did not
 */
public record Predecessor(
        String path,
        String heartbeat,
        boolean watched,
        long session,
        boolean refused,
        @Nullable Long attemptedAt) {

    /** A predecessor whose node has not been read yet. */
    Predecessor(String path) {
        this(path, "", false, 0, false, null);
    }

    Predecessor unwatched() {
        return new Predecessor(path, heartbeat, false, session, refused, attemptedAt);
    }

    Predecessor read(String heartbeat, long session) {
        return new Predecessor(path, heartbeat, true, session, refused, attemptedAt);
    }

    /** It cannot be replaced before its session ends. */
    Predecessor inviolable() {
        return new Predecessor(path, heartbeat, watched, session, true, attemptedAt);
    }

    /** Earlier sightings of it no longer suffice. */
    Predecessor attempted(long nanos) {
        return new Predecessor(path, heartbeat, watched, session, refused, nanos);
    }

    /** The last time at which it may have sent a heartbeat, given when its heartbeat was last seen. */
    long silentSince(long seen) {
        return attemptedAt == null || attemptedAt - seen < 0 ? seen : attemptedAt;
    }

    /** R37: only a candidate that keeps the same rules is replaced before its session ends. */
    boolean replaceable() {
        return session != 0 && !refused && !heartbeat.isEmpty();
    }

    public String node() {
        return Paths.name(path);
    }
}
