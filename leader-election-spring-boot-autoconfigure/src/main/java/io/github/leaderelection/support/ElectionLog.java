package io.github.leaderelection.support;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The story of one election as the log tells it: a line for each change of role, a warning for what needs a person. No
 * stack traces: what goes wrong here is known, and the message says it all.
 */
public final class ElectionLog {

    private static final Logger log = LoggerFactory.getLogger(Election.class);

    private final String election;
    private final Supplier<String> candidate;

    /** @param candidate asked for only once it takes part */
    public ElectionLog(String election, Supplier<String> candidate) {
        this.election = election;
        this.candidate = candidate;
    }

    public void nominated() {
        log.info("Election '{}': {} is a candidate", election, candidate.get());
    }

    public void follows(String predecessor) {
        log.info("Election '{}': {} follows {}", election, candidate.get(), predecessor);
    }

    /** First in line, but another process may still believe itself to lead, and cannot be asked. */
    public void waits(Duration rest) {
        log.info(
                "Election '{}': {} is next, and waits {} until nobody else can believe itself to lead",
                election,
                candidate.get(),
                rest.truncatedTo(ChronoUnit.MILLIS));
    }

    /**
     * A term has begun.
     *
     * @param handover how long it took since the predecessor's end; null if there was none
     */
    public void granted(Leadership term, @Nullable Duration handover) {
        log.info(
                "Election '{}': {} leads (term {}, fencing token {}{})",
                election,
                term.candidate().id(),
                term.term(),
                term.fencingToken(),
                handover == null ? "" : ", taken over in " + handover);
    }

    public void revoked(Leadership term, RevocationReason reason, Duration reign) {
        log.info(
                "Election '{}': {} leads no more: {} (term {}, fencing token {}, after {})",
                election,
                term.candidate().id(),
                reason,
                term.term(),
                term.fencingToken(),
                reign);
    }

    public void withdrawn() {
        log.info("Election '{}': {} takes no part any more", election, candidate.get());
    }

    public void closed() {
        log.info("Election '{}': left for good", election);
    }

    public void ended(String path) {
        log.info("Election '{}' has ended: {} was deleted", election, path);
    }

    public void ledBy(@Nullable String leader) {
        log.info("Election '{}': {} leads, as observed", election, leader == null ? "nobody" : leader);
    }

    /** The candidate has left, and nobody can tell whether its node has. */
    public void unconfirmed() {
        log.warn(
                "Election '{}': it is not certain that the node of {} is gone; it goes with its session",
                election,
                candidate.get());
    }

    public void failed(ElectionException cause) {
        log.warn("Election '{}': {}", election, cause.getMessage());
    }
}
