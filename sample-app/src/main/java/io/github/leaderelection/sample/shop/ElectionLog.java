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

/** Remembers the last events of all elections. */
@Component
public class ElectionLog {

    private static final Logger log = LoggerFactory.getLogger(ElectionLog.class);
    private static final int CAPACITY = 50;

    private final Deque<Entry> entries = new ArrayDeque<>();
    private long sequence;

    /** What happened. */
    public enum Type {
        GRANTED,
        REVOKED,
        ENDED,
        FAILED
    }

    /**
     * One event.
     *
     * @param sequence 1, 2, 3 … in this process
     * @param term of this process in that election, or zero where the event is not about one
     * @param fencingToken of that term
     * @param detail why, for people
     */
    public record Entry(
            long sequence, Instant at, String election, Type type, long term, long fencingToken, String detail) {}

    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void granted(OnGrantedEvent event) {
        // Here an application would start what only a leader has: a consumer, a cache, a connection.
        add(event, Type.GRANTED, event.getLeadership(), "");
    }

    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void revoked(OnRevokedEvent event) {
        // And stop it here. The next leader waits until this method has returned, up to the drain timeout.
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

    /** The last events, the oldest first. */
    synchronized List<Entry> entries() {
        return List.copyOf(entries);
    }
}
