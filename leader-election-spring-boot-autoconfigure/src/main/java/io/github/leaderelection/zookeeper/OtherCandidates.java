package io.github.leaderelection.zookeeper;

import io.github.leaderelection.support.ElectionPublisher;
import io.github.leaderelection.support.OneLine;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import org.jspecify.annotations.Nullable;

/** What the log says about the other candidates of one election, from what is read of them anyway. Confined to the loop. */
final class OtherCandidates {

    /** In a longer queue, each candidate that joins would read the node of the leader only for the log. */
    private static final int MOST_THAT_READ = 20;

    private final String path;
    private final ElectionView view;
    private final ElectionPublisher publisher;
    private final EngineContext context;
    /** The node of the leader that the log has yet to name; null if there is none. */
    private @Nullable String followed;

    private boolean warned;

    OtherCandidates(String path, ElectionView view, ElectionPublisher publisher, EngineContext context) {
        this.path = path;
        this.view = view;
        this.publisher = publisher;
        this.context = context;
    }

    /** This candidate begins to follow: logged when the one before it is read. Null: it does not follow any more. */
    void follow(@Nullable String predecessor) {
        followed = predecessor;
    }

    void recordRead(LeaderRecord record) {
        if (followed != null && !record.holder().isEmpty()) {
            followed = record.holder();
        }
    }

    void candidateRead(String node, CandidateData candidate) {
        context.candidateIds().learn(node, candidate.id());
        NodeName.parse(followed == null ? "" : followed).ifPresent(this::logFollowed);
        String own = context.options().application();
        String other = candidate.application();
        boolean known = !own.isEmpty() && !other.isEmpty();
        if (known && !own.equals(other) && !context.options().shared() && !warned) {
            warned = true;
            publisher.log().sharedWith(path, own, OneLine.of(other));
        }
    }

    private void logFollowed(NodeName leader) {
        boolean mayRead = view.gauges().candidates() <= MOST_THAT_READ;
        context.candidateIds()
                .find(
                        Paths.child(path, leader.name()),
                        leader,
                        mayRead,
                        context.engine().client())
                .thenAccept(id -> {
                    if (leader.name().equals(followed)) {
                        followed = null;
                        publisher.log().following(leader.name(), id);
                    }
                });
    }
}
