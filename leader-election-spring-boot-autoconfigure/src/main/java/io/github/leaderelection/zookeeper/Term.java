package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Leading;
import java.time.Instant;
import org.apache.zookeeper.Op;

/** One term on ZooKeeper. The loop renews and ends it; any thread may query it. */
final class Term implements Leadership {

    private final ElectionState.Config config;
    private final Clock clock;
    private final ZooKeeperElection election;
    /** One object, so that the last proof and its lease are read atomically. */
    private volatile Leading leading;

    private volatile boolean over;

    Term(ElectionState.Config config, Leading leading, Clock clock, ZooKeeperElection election) {
        this.config = config;
        this.clock = clock;
        this.election = election;
        this.leading = leading;
    }

    void renew(Leading renewed) {
        leading = renewed;
    }

    void end() {
        over = true;
    }

    @Override
    public boolean isValid() {
        if (over) {
            return false;
        }
        if (leading.isValid(clock.nanos(), clock.millis())) {
            return true;
        }
        // A renewal that comes too late must not revive a term that a caller has seen to be over.
        over = true;
        election.lapsed(this);
        return false;
    }

    /** The rest of the lease in milliseconds. */
    long remaining() {
        return over ? 0 : Math.max(0, (leading.leaseEnd() - clock.nanos()) / 1_000_000);
    }

    @Override
    public String election() {
        return config.name();
    }

    @Override
    public Candidate candidate() {
        return config.candidate(leading.ownNode());
    }

    @Override
    public long fencingToken() {
        return leading.holding().token();
    }

    @Override
    public long term() {
        return leading.term();
    }

    @Override
    public Instant since() {
        return Instant.ofEpochMilli(leading.since());
    }

    /** {@inheritDoc} R24: guards by the own node, because a record's versions start again with a recreated election. */
    @Override
    public Op guard() {
        return Op.check(leading.ownNode().path(), -1);
    }

    @Override
    public String toString() {
        return "term %d of election '%s' (%s, fencing token %d)"
                .formatted(term(), election(), config.id(), fencingToken());
    }
}
