package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
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
 * @param provenAt when the last beat that proved it was sent
 */
public record CandidateNode(
        String path,
        long session,
        long czxid,
        long ctime,
        boolean armed,
        @Nullable Moment provenAt) {

    static CandidateNode of(String path, long session, Stat stat, boolean armed) {
        return new CandidateNode(path, session, stat.getCzxid(), stat.getCtime(), armed, null);
    }

    /** The node's name, by which the record knows it. */
    public String name() {
        return Paths.name(path);
    }

    public Candidacy candidacy() {
        return new Candidacy(NodeName.guid(name()), session);
    }

    public CandidateNode arm(boolean armed) {
        return new CandidateNode(path, session, czxid, ctime, armed, provenAt);
    }

    public CandidateNode prove(Moment sent) {
        return new CandidateNode(path, session, czxid, ctime, armed, sent);
    }

    boolean holds(long lease, Moment now) {
        return provenAt != null && provenAt.within(lease, now);
    }
}
