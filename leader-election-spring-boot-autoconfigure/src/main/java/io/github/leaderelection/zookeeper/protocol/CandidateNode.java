package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A candidate's own node.
 *
 * @param session the session that created it
 * @param ctime when it was created, by the server's clock
 * @param version the version of its data: a leader that appoints us as its heir changes it
 * @param armed whether a watch on it is known to be set, and set again before anything is answered after a reconnect:
 *     only then does an acknowledged heartbeat prove that the node exists
 * @param provenAt when the last heartbeat that proved it was sent
 */
public record CandidateNode(
        String path,
        long session,
        long czxid,
        long ctime,
        int version,
        boolean armed,
        @Nullable Moment provenAt) {

    static CandidateNode of(String path, long session, Stat stat, boolean armed) {
        return new CandidateNode(path, session, stat.getCzxid(), stat.getCtime(), stat.getVersion(), armed, null);
    }

    /** The node's name, by which the record knows it. */
    public String name() {
        return Paths.name(path);
    }

    public Candidacy candidacy() {
        return new Candidacy(NodeName.guid(name()), session);
    }

    public CandidateNode arm(boolean armed) {
        return new CandidateNode(path, session, czxid, ctime, version, armed, provenAt);
    }

    CandidateNode version(int version) {
        return new CandidateNode(path, session, czxid, ctime, version, armed, provenAt);
    }

    public CandidateNode prove(Moment sent) {
        return new CandidateNode(path, session, czxid, ctime, version, armed, sent);
    }

    /** A leader's node always has one. */
    Moment proof() {
        if (provenAt == null) {
            throw new IllegalStateException("Not proven: " + this);
        }
        return provenAt;
    }

    /** Whether a heartbeat that was sent less than that many milliseconds ago has proven the node. */
    boolean provenWithin(long millis, Moment now) {
        return provenAt != null && provenAt.within(millis, now);
    }
}
