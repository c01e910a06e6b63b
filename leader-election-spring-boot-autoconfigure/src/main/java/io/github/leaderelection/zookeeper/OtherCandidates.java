package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Role;
import io.github.leaderelection.support.ElectionPublisher;
import io.github.leaderelection.support.OneLine;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows about the other candidates of one election, for the log and for error responses, mostly from
 * data that is read anyway. Confined to the loop.
 */
final class OtherCandidates {

    /** In a longer queue, each joining candidate would read the leader's node only for the log. */
    private static final int MOST_THAT_READ = 20;

    private final String path;
    private final ElectionView view;
    private final ElectionPublisher publisher;
    private final ElectionOptions options;
    private final EngineContext context;
    /** The node of the leader that the log has yet to name; null if there is none. */
    private @Nullable String followed;
    /** The node of the leader that the log has named; null if this candidate no longer follows it, or was disconnected. */
    private @Nullable String named;

    /** The node of the leader as the record last named it; empty if there is none. */
    private String holder = "";

    private boolean warned;

    OtherCandidates(
            String path,
            ElectionView view,
            ElectionPublisher publisher,
            ElectionOptions options,
            EngineContext context) {
        this.path = path;
        this.view = view;
        this.publisher = publisher;
        this.options = options;
        this.context = context;
    }

    /** This candidate begins to follow, which is logged when its predecessor is read; null if it no longer follows. */
    void follow(@Nullable String predecessor) {
        followed = predecessor;
    }

    /** The next line about whom this candidate follows is no repetition. */
    void forgetNamed() {
        named = null;
    }

    void recordRead(LeaderRecord record) {
        boolean changed = !record.holder().equals(holder);
        if (changed) {
            holder = record.holder();
            view.ledBy(null);
        }
        if (followed != null && !holder.isEmpty()) {
            followed = holder;
        } else if (changed && followed == null && view.state().role() == Role.FOLLOWER) {
            // The predecessor is not read again.
            identify(holder);
        }
    }

    void candidateRead(String node, CandidateData candidate) {
        context.candidateIds().learn(node, candidate.id());
        if (followed != null) {
            identify(followed);
        }
        String own = options.application;
        String other = candidate.application();
        boolean known = !own.isEmpty() && !other.isEmpty();
        if (known && !own.equals(other) && !options.shared && !warned) {
            warned = true;
            publisher.log().sharedWith(path, own, OneLine.of(other));
        }
    }

    private void identify(String node) {
        boolean mayRead = view.gauges().candidates() <= MOST_THAT_READ;
        NodeName.parse(node)
                .ifPresent(name -> context.candidateIds()
                        .find(
                                Paths.child(path, node),
                                name,
                                mayRead,
                                context.engine().client())
                        .thenAccept(id -> identified(node, id)));
    }

    /** @param id empty if it is unknown */
    private void identified(String node, String id) {
        if (node.equals(holder) && !id.isEmpty()) {
            view.ledBy(id);
        }
        if (node.equals(followed)) {
            followed = null;
            if (!node.equals(named)) {
                named = node;
                publisher.log().following(node, id);
            }
        }
    }
}
