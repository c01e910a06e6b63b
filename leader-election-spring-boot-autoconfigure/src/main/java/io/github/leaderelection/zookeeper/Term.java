package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Leading;
import java.time.Instant;
import org.apache.zookeeper.Op;

/** One term. The loop renews and ends it; anybody asks it. Its answers are computed when asked for. */
final class Term implements Leadership {

    /** Told when somebody has found a term to be over before the loop has. */
    interface Listener {
        void lapsed(Term term);
    }

    private final ElectionState.Config config;
    private final Clock clock;
    private final Listener listener;
    /** One object, so that the moment of the last proof and the lease that it gives belong together. */
    private volatile Leading leading;

    private volatile boolean over;

    Term(ElectionState.Config config, Leading leading, Clock clock, Listener listener) {
        this.config = config;
        this.clock = clock;
        this.listener = listener;
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
        // Once somebody was told that the term is over, a renewal that comes too late must not revive it.
        over = true;
        listener.lapsed(this);
        return false;
    }

    /** How much of the lease is left, in milliseconds. */
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
        return leading.ownNode().czxid();
    }

    @Override
    public long term() {
        return leading.term();
    }

    @Override
    public Instant since() {
        return Instant.ofEpochMilli(leading.since());
    }

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
