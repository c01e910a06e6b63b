package io.github.leaderelection.support;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the events of an election: one line for each change of role, and a warning for anything that needs attention. No
 * stack traces: these failures are expected, and the message is enough.
 */
public record ElectionLog(String election, Supplier<String> candidate) {

    private static final Logger log = LoggerFactory.getLogger(Election.class);

    public void nominated() {
        log.info("Election '{}': {} is a candidate", election, candidate.get());
    }

    /** Another candidate leads; its id is empty if it is unknown. */
    public void following(String leader, String id) {
        String name = id.isEmpty() ? leader : "%s (%s)".formatted(id, leader);
        log.info("Election '{}': {} follows {}", election, candidate.get(), name);
    }

    /** Sharing is most likely accidental: the work of the application that does not lead does not run. */
    public void sharedWith(String path, String application, String other) {
        log.warn(
                "Election '{}' at {} has candidates of two applications, '{}' and '{}', so that only one of them leads. If"
                        + " they should not share it, give each application a leader-election.root of its own. If they"
                        + " should, set leader-election.elections.{}.path in both",
                election,
                path,
                application,
                other,
                election);
    }

    /** This process is first in the queue, but an earlier leader that cannot be asked may still have a lease. */
    public void waiting(Duration rest) {
        String line = "Election '{}': {} is next and waits {} until no other lease can be valid";
        log.info(line, election, candidate.get(), rest.truncatedTo(ChronoUnit.MILLIS));
    }

    void granted(Leadership term, @Nullable Duration handover, @Nullable Duration leaderless) {
        log.info(
                "Election '{}': {} leads (term {}, fencing token {}{}{}{}{})",
                election,
                candidate.get(),
                term.term(),
                term.fencingToken(),
                handover == null ? "" : ", taken over in ",
                handover == null ? "" : handover.truncatedTo(ChronoUnit.MILLIS),
                leaderless == null ? "" : ", no leader for up to ",
                leaderless == null ? "" : leaderless);
    }

    /** A pause may delay the notice, so the line says when the term ended. */
    void revoked(Leadership term, RevocationReason reason, Instant ended) {
        log.info(
                "Election '{}': {} no longer leads: {} (term {}, fencing token {}, until {}, after {})",
                election,
                candidate.get(),
                reason,
                term.term(),
                term.fencingToken(),
                ended,
                Duration.between(term.since(), ended));
    }

    void moved(String to, MoveCause cause) {
        log.info("Election '{}': leadership moved from {} to {} ({})", election, candidate.get(), to, cause.label());
    }

    public void withdrawn() {
        log.info("Election '{}': {} has withdrawn", election, candidate.get());
    }

    public void closed() {
        log.info("Election '{}' is closed in this process", election);
    }

    void ended(String path) {
        log.info("Election '{}' has ended: {} was deleted", election, path);
    }

    void leaderChanged(@Nullable String leader) {
        log.info("Election '{}': {} is the observed leader", election, leader == null ? "none" : leader);
    }

    public void unconfirmed() {
        log.warn(
                "Election '{}': the deletion of the node of {} is not confirmed; ZooKeeper deletes it with its session",
                election,
                candidate.get());
    }

    void failed(ElectionException cause) {
        log.warn("Election '{}': {}", election, cause.getMessage());
    }
}
