package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one election of this process does and knows; immutable.
 *
 * @param lastRequestId how many flights there were; the next one gets the next number
 * @param terms how many terms there were
 * @param formerNode the node on which it last led, and surely does no more
 * @param queueWatched whether a change of the candidates will be told
 * @param failures how often in a row it had to pause
 * @param error what keeps it from going on
 */
public record ElectionState(
        Config config,
        State state,
        long lastRequestId,
        long terms,
        @Nullable String formerNode,
        boolean queueWatched,
        int failures,
        @Nullable String error) {

    /**
     * What does not change: the election, and what this candidate is called.
     *
     * @param candidateId asked for when this instance is nominated, and later: always the same from then on
     */
    public record Config(
            String name, String path, boolean createPaths, Supplier<String> candidateId, Map<String, String> metadata) {

        public String id() {
            return candidateId.get();
        }

        public String node(String name) {
            return Paths.child(path, name);
        }

        public String record() {
            return node(LeaderRecord.NODE);
        }

        public Candidate candidate(CandidateNode ownNode) {
            long sequence =
                    NodeName.parse(ownNode.name()).map(NodeName::sequence).orElse(-1);
            return new Candidate(id(), metadata, sequence, ownNode.czxid(), Instant.ofEpochMilli(ownNode.ctime()));
        }
    }

    public static ElectionState of(Config config) {
        return new ElectionState(config, new State.Observing(), 0, 0, null, false, 0, null);
    }

    public Optional<State.Leading> leading() {
        return state instanceof State.Leading leading ? Optional.of(leading) : Optional.empty();
    }

    /** The beat that this election has to keep in sight, so that it need not wait when its predecessor crashes. */
    @Nullable
    public String observedHeartbeat() {
        if (state instanceof State.Following following) {
            return seen(following.predecessor());
        }
        if (state instanceof State.Succeeding succeeding) {
            return seen(succeeding.last());
        }
        return state instanceof State.Evaluating evaluating ? seen(evaluating.last()) : null;
    }

    private static @Nullable String seen(@Nullable Predecessor predecessor) {
        return predecessor == null || predecessor.heartbeat().isEmpty() ? null : predecessor.heartbeat();
    }
}
