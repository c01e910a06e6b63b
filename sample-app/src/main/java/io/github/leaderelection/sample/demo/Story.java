package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.shop.ElectionLog;
import io.github.leaderelection.sample.shop.ShopStatus;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** What has happened, put together from what all replicas tell. */
@Component
class Story {

    private static final int CAPACITY = 60;

    private final Terms terms = new Terms();
    private final Deque<Happening> happenings = new ArrayDeque<>();
    private final Map<Narrator, Long> heard = new HashMap<>();
    private long number;

    /** A process of a replica: it numbers its events. */
    record Narrator(String replica, Instant started) {}

    /**
     * An event of an election, or something that was done to a replica or to ZooKeeper.
     *
     * @param election empty where it is not about an election
     * @param sequence the number that the replica gave to the event, or zero
     */
    record Happening(
            long number, Instant at, String replica, String election, String type, long sequence, String detail) {}

    /** A replica has told its status. */
    synchronized void tell(String replica, ShopStatus status) {
        Narrator narrator = new Narrator(replica, status.started());
        long known = heard.getOrDefault(narrator, 0L);
        for (ElectionLog.Entry event : status.events()) {
            if (event.sequence() > known) {
                heard.put(narrator, event.sequence());
                terms.heard(narrator, event);
                add(event.at(), replica, event.election(), event.type().name(), event.sequence(), detail(event));
            }
        }
        status.elections().forEach(standing -> terms.seen(narrator, standing, status.at()));
    }

    private static String detail(ElectionLog.Entry event) {
        return event.type() == ElectionLog.Type.GRANTED ? "fencing token " + event.fencingToken() : event.detail();
    }

    /** Something was done to a replica, or to ZooKeeper. */
    synchronized void note(String subject, String what) {
        add(Instant.now(), subject, "", "NOTE", 0, what);
    }

    private void add(Instant at, String replica, String election, String type, long sequence, String detail) {
        happenings.addLast(new Happening(++number, at, replica, election, type, sequence, detail));
        if (happenings.size() > CAPACITY) {
            happenings.removeFirst();
        }
    }

    /** The replica's process has ended. */
    synchronized void ended(String replica) {
        terms.processEnded(replica, Instant.now());
        note(replica, "its process has ended");
    }

    /** The replica does not answer. */
    synchronized void silent(String replica) {
        terms.notHeardFrom(replica, Instant.now());
    }

    /** The terms of the last minutes, the oldest first. */
    synchronized List<Terms.Term> terms() {
        return terms.all();
    }

    /** How many pairs of terms of one election overlap. It should be none. */
    synchronized long overlaps() {
        return terms.overlaps();
    }

    /** The latest first. */
    synchronized List<Happening> happenings() {
        return happenings.stream()
                .sorted(Comparator.comparing(Happening::at)
                        .thenComparingLong(Happening::number)
                        .reversed())
                .toList();
    }
}
