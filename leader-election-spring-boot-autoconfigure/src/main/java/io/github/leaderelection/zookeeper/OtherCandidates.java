package io.github.leaderelection.zookeeper;

import io.github.leaderelection.support.ElectionPublisher;
import io.github.leaderelection.support.OneLine;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows about the other candidates of one election, for the log, metrics and error responses, mostly
 * from data that is read anyway. Changes on the loop; any thread can read it.
 */
final class OtherCandidates {

    /** In a longer queue, each joining candidate would read the leader's node only for the log. */
    private static final int MOST_THAT_READ = 20;

    private final String path;
    private final ElectionPublisher publisher;
    private final ElectionOptions options;
    private final CandidateIds ids;
    private volatile int count;
    private volatile @Nullable String leaderId;
    /** The leader's node as the record last named it; empty if there is no leader. */
    private String leader = "";
    /** The node that this candidate follows and that the log has yet to name; null if there is none. */
    private @Nullable String unnamed;
    /** The node that the log has named; null if its next line would be no repetition. */
    private @Nullable String named;

    private boolean warned;

    OtherCandidates(String path, ElectionPublisher publisher, ElectionOptions options, CandidateIds ids) {
        this.path = path;
        this.publisher = publisher;
        this.options = options;
        this.ids = ids;
    }

    /** The number of candidates, this one included, when they were last listed. */
    int count() {
        return count;
    }

    /** The id of the leader; null if it is not known yet, or there is no leader. */
    @Nullable
    String leaderId() {
        return leaderId;
    }

    void listed(int candidates) {
        count = candidates;
    }

    /** This candidate begins to follow, which is logged when its predecessor is read; null if it no longer follows. */
    void follow(@Nullable String predecessor) {
        unnamed = predecessor;
    }

    void forgetNamed() {
        named = null;
    }

    void recordRead(LeaderRecord record, boolean follower) {
        boolean changed = !record.holder().equals(leader);
        if (changed) {
            leader = record.holder();
            leaderId = null;
        }
        if (unnamed != null) {
            unnamed = leader.isEmpty() ? unnamed : leader;
        } else if (changed && follower) {
            // The predecessor is not read again.
            identify(leader);
        }
    }

    void candidateRead(String node, CandidateData candidate) {
        NodeName.parse(node).ifPresent(name -> ids.learn(name.connection(), candidate.id()));
        if (unnamed != null) {
            identify(unnamed);
        }
        String own = options.application;
        String other = candidate.application();
        if (!warned && !options.shared && !own.isEmpty() && !other.isEmpty() && !own.equals(other)) {
            warned = true;
            publisher.log().sharedWith(path, own, OneLine.of(other));
        }
    }

    private void identify(String node) {
        boolean mayRead = count <= MOST_THAT_READ;
        NodeName.parse(node)
                .ifPresent(name -> ids.find(name.connection(), Paths.child(path, node), mayRead)
                        .thenAccept(id -> identified(node, id)));
    }

    /** @param id empty if it is unknown */
    private void identified(String node, String id) {
        if (node.equals(leader) && !id.isEmpty()) {
            leaderId = id;
        }
        if (node.equals(unnamed)) {
            unnamed = null;
            if (!node.equals(named)) {
                named = node;
                publisher.log().following(node, id);
            }
        }
    }
}
