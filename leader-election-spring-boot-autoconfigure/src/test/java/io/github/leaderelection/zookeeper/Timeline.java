package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Election;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/**
 * What candidates said of themselves, and when by the monotonic clock, which the processes of one machine share. Somebody
 * who was asked between two readings of the clock may have answered at any time between them; nothing is concluded
 * that a pause at the wrong moment could explain.
 */
final class Timeline implements AutoCloseable {

    private final List<Span> spans = new ArrayList<>();
    private final Map<String, Span> current = new HashMap<>();
    private final Map<String, Long> asked = new HashMap<>();
    private volatile boolean closed;

    /** A time without a "no": led at the latest from one reading of the clock, and at least until the other. */
    static final class Span {
        private final String who;
        private final long from;
        private long to;

        private Span(String who, long from, long to) {
            this.who = who;
            this.from = from;
            this.to = to;
        }

        private boolean overlaps(Span other) {
            return from <= other.to && other.from <= to;
        }

        @Override
        public String toString() {
            return "%s %.3f-%.3f".formatted(who, from / 1e9, to / 1e9);
        }
    }

    /** Asks these, one after the other, all the time. */
    void ask(Map<String, Election> candidates) {
        Thread thread = new Thread(
                () -> {
                    while (!closed) {
                        candidates.forEach((who, election) -> {
                            long before = System.nanoTime();
                            boolean leads = election.isLeader();
                            add(who, leads, before, System.nanoTime());
                        });
                        LockSupport.parkNanos(100_000);
                    }
                },
                "timeline");
        thread.setDaemon(true);
        thread.start();
    }

    synchronized void add(String who, boolean leads, long before, long after) {
        asked.put(who, before);
        if (!leads) {
            current.remove(who);
        } else if (current.containsKey(who)) {
            current.get(who).to = before;
        } else {
            Span span = new Span(who, after, before);
            current.put(who, span);
            spans.add(span);
        }
    }

    synchronized List<String> overlaps() {
        List<String> found = new ArrayList<>();
        for (Span one : spans) {
            for (Span other : spans) {
                if (one.who.compareTo(other.who) < 0 && one.overlaps(other)) {
                    found.add(one + " and " + other);
                }
            }
        }
        return found;
    }

    /** When that candidate began to lead for the first time after the given time. */
    synchronized OptionalLong began(String who, long after) {
        return spans.stream()
                .filter(span -> span.who.equals(who) && span.from - after > 0)
                .mapToLong(span -> span.from)
                .findFirst();
    }

    /** When anybody led last. */
    synchronized long lastLed() {
        return spans.stream().mapToLong(span -> span.to).max().orElseThrow();
    }

    synchronized long lastLed(String who) {
        return spans.stream()
                .filter(span -> span.who.equals(who))
                .mapToLong(span -> span.to)
                .max()
                .orElseThrow();
    }

    /** How often that candidate led. */
    synchronized long spans(String who) {
        return spans.stream().filter(span -> span.who.equals(who)).count();
    }

    synchronized boolean leads(String who) {
        return current.containsKey(who);
    }

    synchronized boolean askedAfter(String who, long nanos) {
        return asked.containsKey(who) && asked.get(who) - nanos > 0;
    }

    @Override
    public synchronized String toString() {
        return spans.toString();
    }

    @Override
    public void close() {
        closed = true;
    }
}
