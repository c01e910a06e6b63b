package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.shop.ElectionLog;
import io.github.leaderelection.sample.shop.ShopStatus;
import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Recent events and terms, collected from the status reports of all replicas. */
@Component
class History {

    private static final int CAPACITY = 60;

    private final TermTracker terms = new TermTracker();
    private final MoveTracker moves = new MoveTracker();
    private final Deque<Event> events = new ArrayDeque<>();
    private final Map<Incarnation, Long> lastSequences = new HashMap<>();
    private long lastNumber;

    /** One process of a replica. Sequence numbers and term numbers are unique within it. */
    record Incarnation(String replica, Instant started) {}

    /**
     * An election event, or a note about an action on a replica or on ZooKeeper.
     *
     * @param election empty if the event does not belong to an election
     * @param sequence sequence number that the replica assigned, or zero
     */
    record Event(long number, Instant at, String replica, String election, String type, long sequence, String detail) {}

    /** Adds what is new in the status of a replica. */
    synchronized void statusReceived(String replica, ShopStatus status) {
        Incarnation incarnation = new Incarnation(replica, status.started());
        long lastSequence = lastSequences.getOrDefault(incarnation, 0L);
        for (ElectionLog.Entry entry : status.events()) {
            if (entry.sequence() > lastSequence) {
                lastSequences.put(incarnation, entry.sequence());
                terms.eventReceived(incarnation, entry);
                add(entry.at(), replica, entry.election(), entry.type().name(), entry.sequence(), detail(entry));
            }
        }
        for (ElectionInfo info : status.elections()) {
            terms.infoReceived(incarnation, info, status.at());
            moves.infoReceived(incarnation, info).ifPresent(cause -> {
                terms.moved(incarnation, info.election(), cause);
                add(status.at(), replica, info.election(), "MOVED", 0, cause);
            });
        }
    }

    private static String detail(ElectionLog.Entry entry) {
        return entry.type() == ElectionLog.Type.GRANTED ? "fencing token " + entry.fencingToken() : entry.detail();
    }

    /** Adds a note about a replica or about ZooKeeper. */
    synchronized void addNote(String subject, String text) {
        add(Instant.now(), subject, "", "NOTE", 0, text);
    }

    private void add(Instant at, String replica, String election, String type, long sequence, String detail) {
        events.addLast(new Event(++lastNumber, at, replica, election, type, sequence, detail));
        if (events.size() > CAPACITY) {
            events.removeFirst();
        }
    }

    synchronized void processExited(String replica) {
        terms.processExited(replica, Instant.now());
        addNote(replica, "process exited");
    }

    synchronized void notResponding(String replica) {
        terms.notResponding(replica, Instant.now());
    }

    /** Returns the terms of the last few minutes, oldest first. */
    synchronized List<TermTracker.Term> terms() {
        return terms.all();
    }

    /** Returns the number of pairs of terms of the same election that overlap. */
    synchronized long overlaps() {
        return terms.overlaps();
    }

    /** Returns the recent events, latest first. */
    synchronized List<Event> events() {
        return events.stream()
                .sorted(Comparator.comparing(Event::at)
                        .thenComparingLong(Event::number)
                        .reversed())
                .toList();
    }
}
