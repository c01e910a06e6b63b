package io.github.leaderelection.sample.shop;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.event.ElectionEvent;
import io.github.leaderelection.event.OnElectionEndedEvent;
import io.github.leaderelection.event.OnElectionFailedEvent;
import io.github.leaderelection.event.OnGrantedEvent;
import io.github.leaderelection.event.OnRevokedEvent;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Logs the events of all elections and keeps the most recent ones. */
@Component
public class ElectionLog {

    private static final Logger log = LoggerFactory.getLogger(ElectionLog.class);
    private static final int CAPACITY = 50;

    private final Deque<Entry> entries = new ArrayDeque<>();
    private long sequence;

    /** Kind of event. */
    public enum Type {
        GRANTED,
        REVOKED,
        ENDED,
        FAILED
    }

    /**
     * A logged event.
     *
     * @param sequence number of the event in this process, starting at 1
     * @param term number of this instance's term in the election, or zero if the event does not belong to a term
     * @param fencingToken fencing token of the term, or zero
     * @param detail human-readable reason, may be empty
     */
    public record Entry(
            long sequence, Instant at, String election, Type type, long term, long fencingToken, String detail) {}

    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void granted(OnGrantedEvent event) {
        // A real application would start here what only the leader runs: a consumer, a cache, a connection.
        add(event, Type.GRANTED, event.getLeadership(), "");
    }

    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void revoked(OnRevokedEvent event) {
        // And stop it here. The next leader waits for this method to return, up to the drain timeout.
        add(event, Type.REVOKED, event.getLeadership(), event.getReason().name());
    }

    @EventListener
    void ended(OnElectionEndedEvent event) {
        add(event, Type.ENDED, null, "");
    }

    @EventListener
    void failed(OnElectionFailedEvent event) {
        add(event, Type.FAILED, null, String.valueOf(event.getCause().getMessage()));
    }

    private synchronized void add(ElectionEvent event, Type type, @Nullable Leadership term, String detail) {
        Entry entry = new Entry(
                ++sequence,
                type == Type.GRANTED && term != null ? term.since() : Instant.ofEpochMilli(event.getTimestamp()),
                event.getElection().name(),
                type,
                term == null ? 0 : term.term(),
                term == null ? 0 : term.fencingToken(),
                detail);
        log.info("{} {} {} (fencing token {})", entry.election(), type, detail, entry.fencingToken());
        entries.addLast(entry);
        if (entries.size() > CAPACITY) {
            entries.removeFirst();
        }
    }

    /** Returns the most recent events, oldest first. */
    synchronized List<Entry> entries() {
        return List.copyOf(entries);
    }
}
