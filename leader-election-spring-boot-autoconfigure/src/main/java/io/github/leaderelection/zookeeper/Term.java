package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Leadership;
import java.time.Instant;
import org.apache.zookeeper.Op;

/** One term. The loop renews and ends it; anybody asks it. */
final class Term implements Leadership {

    private final String election;
    private final String node;
    private final Candidate candidate;
    private final long number;
    private final Instant since;
    private final Clock clock;
    private final Runnable onLapse;
    private volatile Lease lease;
    private volatile boolean over;

    /** What {@link #isValid()} compares: one object, so that both belong together. */
    private record Lease(Moment earned, long millis) {}

    Term(String election, String node, Candidate candidate, Stage.Leading leading, Clock clock, Runnable onLapse) {
        this.election = election;
        this.node = node;
        this.candidate = candidate;
        this.number = leading.term();
        this.since = Instant.ofEpochMilli(leading.since());
        this.clock = clock;
        this.onLapse = onLapse;
        this.lease = new Lease(earned(leading), leading.lease());
    }

    private static Moment earned(Stage.Leading leading) {
        Moment earned = leading.seat().earned();
        if (earned == null) {
            throw new IllegalStateException("Leads without a proof: " + leading);
        }
        return earned;
    }

    void renew(Stage.Leading leading) {
        Moment earned = earned(leading);
        if (!lease.earned().equals(earned) || lease.millis() != leading.lease()) {
            lease = new Lease(earned, leading.lease());
        }
    }

    void end() {
        over = true;
    }

    @Override
    public boolean isValid() {
        if (over) {
            return false;
        }
        Lease current = lease;
        if (current.earned().within(current.millis(), clock.nanos(), clock.millis())) {
            return true;
        }
        // Once somebody was told that the term is over, a renewal that comes too late must not revive it.
        over = true;
        onLapse.run();
        return false;
    }

    /** How much of the lease is left, in milliseconds. */
    long remaining() {
        Lease current = lease;
        return over
                ? 0
                : Math.max(
                        0, current.millis() - (clock.nanos() - current.earned().nanos()) / 1_000_000);
    }

    @Override
    public String election() {
        return election;
    }

    @Override
    public Candidate candidate() {
        return candidate;
    }

    @Override
    public long fencingToken() {
        return candidate.fencingToken();
    }

    @Override
    public long term() {
        return number;
    }

    @Override
    public Instant since() {
        return since;
    }

    @Override
    public Op guard() {
        return Op.check(node, -1);
    }

    @Override
    public String toString() {
        return "term %d of election '%s' (%s, fencing token %d)"
                .formatted(number, election, candidate.id(), fencingToken());
    }
}
