package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.LockSupport;

/** What all instances of an application have handled, and what they should not have. */
final class Journal {

    /** A consumer that has lost the leadership may take this long to stop. */
    private static final Duration STOPPING = Duration.ofMillis(300);

    private final Set<Integer> handled = new ConcurrentSkipListSet<>();
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final Map<String, Long> endsOfTerms = new ConcurrentHashMap<>();
    private final Set<String> leaders = ConcurrentHashMap.newKeySet();
    private final List<String> violations = new ArrayList<>();
    private String busy;

    /** Notices the end of each term of an instance. */
    void observe(String instance, Election election) {
        election.addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                leaders.add(instance);
                endsOfTerms.remove(instance);
            }

            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                endsOfTerms.put(instance, System.nanoTime());
            }
        });
    }

    void handle(String instance, Election election, int number) {
        begin(instance, election, number);
        LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        handled.add(number);
        counts.merge(instance, 1, Integer::sum);
        end(instance);
    }

    private synchronized void begin(String instance, Election election, int number) {
        if (busy != null) {
            violations.add("%s handles %d while %s is busy".formatted(instance, number, busy));
        }
        busy = instance;
        boolean leads = election.isLeader();
        if (!leads && !leaders.contains(instance)) {
            violations.add("%s takes %d although it has never led".formatted(instance, number));
        }
        Long endOfTerm = endsOfTerms.get(instance);
        if (!leads && endOfTerm != null) {
            Duration late = Duration.ofNanos(System.nanoTime() - endOfTerm);
            if (late.compareTo(STOPPING) > 0) {
                violations.add("%s takes %d %s after the end of its term".formatted(instance, number, late));
            }
        }
    }

    private synchronized void end(String instance) {
        if (instance.equals(busy)) {
            busy = null;
        }
    }

    Set<Integer> handled() {
        return handled;
    }

    int handledBy(String instance) {
        return counts.getOrDefault(instance, 0);
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }
}
