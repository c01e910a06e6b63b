package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything one election of this process knows; immutable.
 *
 * @param terms how many terms there were
 * @param heard the last term from which all listeners have returned
 * @param formerNode the node on which it last led, and certainly no longer does
 * @param queueWatched whether a watch will report a change of the candidates
 * @param failures how often in a row it had to pause
 * @param error what keeps it from going on
 */
public record ElectionState(
        Config config,
        State state,
        long lastRequestId,
        long terms,
        long heard,
        @Nullable String formerNode,
        boolean queueWatched,
        int failures,
        @Nullable String error) {

    /**
     * What never changes: the election, and the identity of this candidate.
     *
     * @param preemptAfter how long ago a higher-priority candidate must have joined to be handed the leadership; null:
     *     never
     * @param candidateId first called when this instance is nominated, and constant from then on
     * @param application the name of the application; empty if it has none
     */
    public record Config(
            String name,
            String path,
            boolean createPaths,
            Supplier<String> candidateId,
            Map<String, String> metadata,
            int priority,
            @Nullable Duration preemptAfter,
            String application) {

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
            return new Candidate(id(), metadata, priority, sequence, Instant.ofEpochMilli(ownNode.ctime()));
        }
    }

    public static ElectionState of(Config config) {
        return new ElectionState(config, new Observing(), 0, 0, 0, null, false, 0, null);
    }

    public Optional<Leading> leading() {
        return state instanceof Leading leading ? Optional.of(leading) : Optional.empty();
    }

    /** Whether the record names this candidate and it has to renew its lease: it leads, or drains after that. */
    public boolean holds() {
        return state instanceof Leading || state instanceof Draining draining && draining.led() != null;
    }

    /** Whether it leaves, and waits for listeners or leader-only work: with its node, or after its session has ended. */
    public boolean drains() {
        return state instanceof Draining || state instanceof Retiring;
    }

    /** Whether the leadership is being handed to a chosen candidate. */
    public boolean moves() {
        return state instanceof Leading leading && leading.succession().move() != null
                || state instanceof Leaving leaving && leaving.departure().move() != null;
    }

    /** The heartbeat to keep observing: that of the holder whose heir this candidate is. */
    public @Nullable String observedHeartbeat() {
        Predecessor observed = state instanceof Queued queued ? queued.observed() : null;
        return observed == null || observed.heartbeat().isEmpty() ? null : observed.heartbeat();
    }

    /** The node of this candidate's heir, if it leads and has one. */
    public @Nullable String heir() {
        return state instanceof Leading leading ? leading.succession().heir() : null;
    }
}
