package io.github.leaderelection.autoconfigure.messaging;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What all instances of an application have handled, and what they should not have. The instances may be in several processes
 * of this machine, whose {@link System#nanoTime()} is the same.
 *
 * <p>A broker delivers a message again if its consumer dies before it has acknowledged it. So a message that a killed instance
 * has handled may be handled once more, and no check can demand otherwise. All others have to be handled exactly once.
 */
final class Journal {

    /** A consumer that has lost the leadership may take this long to stop. */
    private static final Duration STOPPING = Duration.ofMillis(300);

    private final Map<String, History> histories = new HashMap<>();
    private final List<Handling> handlings = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private Duration latest = Duration.ZERO;

    /** What is known of one instance. */
    private static final class History {
        private boolean leads;
        private boolean killed;
        private long endOfTerm;
        private int terms;
        private int handled;
    }

    /** How an instance has handled a message, from when to when. */
    private static final class Handling {
        private final String instance;
        private final int number;
        private final long began;
        private long ended = Long.MAX_VALUE;
        private boolean completed;

        private Handling(String instance, int number, long began) {
            this.instance = instance;
            this.number = number;
            this.began = began;
        }

        private boolean isOpen() {
            return ended == Long.MAX_VALUE;
        }
    }

    synchronized void granted(String instance) {
        History history = history(instance);
        history.leads = true;
        history.terms++;
    }

    synchronized void revoked(String instance, long nanos) {
        History history = history(instance);
        history.leads = false;
        history.endOfTerm = nanos;
    }

    /** @param leads what the election said when the message was taken */
    synchronized void took(String instance, int number, boolean leads, long nanos) {
        handlings.add(new Handling(instance, number, nanos));
        History history = history(instance);
        if (!leads && history.terms == 0) {
            violations.add("%s takes %d although it has never led".formatted(instance, number));
        }
        // If the revocation is still to be reported, it ended just before.
        Duration late = Duration.ofNanos(leads || history.leads ? 0 : nanos - history.endOfTerm);
        if (history.terms > 0 && late.compareTo(STOPPING) > 0) {
            violations.add("%s takes %d %s after the end of its term".formatted(instance, number, late));
        }
        latest = late.compareTo(latest) > 0 ? late : latest;
    }

    synchronized void handled(String instance, int number, long nanos) {
        Handling handling = handlings.stream()
                .filter(each -> each.instance.equals(instance) && each.number == number && each.isOpen())
                .findFirst()
                .orElseThrow();
        handling.ended = nanos;
        handling.completed = true;
        history(instance).handled++;
    }

    /** To be called when the process of the instance has ended, and all that it has reported is here. */
    synchronized void killed(String instance) {
        History history = history(instance);
        history.leads = false;
        history.killed = true;
        handlings.stream()
                .filter(each -> each.instance.equals(instance) && each.isOpen())
                .forEach(each -> each.ended = System.nanoTime());
    }

    private History history(String instance) {
        return histories.computeIfAbsent(instance, name -> new History());
    }

    synchronized boolean leads(String instance) {
        return history(instance).leads;
    }

    synchronized int handledBy(String instance) {
        return history(instance).handled;
    }

    synchronized Set<Integer> handled() {
        Set<Integer> numbers = new TreeSet<>();
        handlings.stream().filter(each -> each.completed).forEach(each -> numbers.add(each.number));
        return numbers;
    }

    synchronized String summary() {
        return "%d messages handled, %d of them again after a crash; the latest was taken %d ms after the end of a term"
                .formatted(
                        handled().size(),
                        handlings.stream().filter(each -> each.completed).count()
                                - handled().size(),
                        latest.toMillis());
    }

    synchronized List<String> violations() {
        List<String> all = new ArrayList<>(violations);
        List<Handling> inOrder = handlings.stream()
                .sorted(Comparator.comparingLong(each -> each.began))
                .toList();
        Set<Integer> done = new HashSet<>();
        Handling last = null;
        for (Handling each : inOrder) {
            if (last != null && each.began < last.ended) {
                all.add("%s handles %d while %s handles %d"
                        .formatted(each.instance, each.number, last.instance, last.number));
            }
            if (done.contains(each.number)) {
                all.add("%s handles %d again".formatted(each.instance, each.number));
            }
            if (each.completed && !history(each.instance).killed) {
                done.add(each.number);
            }
            last = last == null || each.ended > last.ended ? each : last;
        }
        return all;
    }
}
