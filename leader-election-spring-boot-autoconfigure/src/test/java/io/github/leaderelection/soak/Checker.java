package io.github.leaderelection.soak;

import io.github.leaderelection.soak.Violation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Compares a history with what the library guarantees. It reports only what is certain, and nothing that a pause at the
 * wrong moment could explain.
 */
final class Checker {

    /** A candidate that was not sampled for so long was paused: it could not act on a leadership during that time. */
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

    /** How long after the beginning of a kill the process may still answer. */
    private static final long LATE_ANSWER = Duration.ofMillis(100).toNanos();

    private final History history;
    private final Duration bound;
    private final Duration session;
    private final List<Violation> violations = new ArrayList<>();
    private int undecided;
    private long longestUndecided;
    private final Set<ObservedTerm> pausedLeaders = new HashSet<>();

    private Checker(History history, Duration bound, Duration session) {
        this.history = history;
        this.bound = bound;
        this.session = session;
    }

    /**
     * @param bound how long a healthy ensemble may be without a leader
     * @param session how much longer, if the session of a candidate has to end first
     */
    static CheckResult check(History history, Duration bound, Duration session) {
        return new Checker(history, bound, session).check();
    }

    private CheckResult check() {
        enoughWasObserved();
        noTwoLeaders();
        tokensGrow();
        resourcesAreFenced();
        grantedAndRevokedAlternate();
        List<TimeSpan> throughFaults = withoutExcuses(gaps());
        List<TimeSpan> leaderless = leaderless(throughFaults);
        noLeaderForTooLong(leaderless);
        oneLeaderAtTheEnd();
        noStrayNodes();
        double longest =
                throughFaults.stream().mapToDouble(TimeSpan::seconds).max().orElse(0);
        return new CheckResult(
                List.copyOf(violations), leaderless, longest, undecided, longestUndecided, pausedLeaders.size());
    }

    private void report(Kind kind, String what, Object... arguments) {
        violations.add(new Violation(kind, what.formatted(arguments)));
    }

    /** The time since the start of the run. */
    private String time(long nanos) {
        return "%.6f s".formatted((nanos - history.span().from()) / 1e9);
    }

    private void enoughWasObserved() {
        if (history.terms().isEmpty()) {
            report(Kind.NOTHING_OBSERVED, "no candidate ever led");
        }
        if (history.faults().isEmpty()) {
            report(Kind.NOTHING_OBSERVED, "there was no fault");
        }
        for (FencedResource resource : FencedResource.values()) {
            if (history.accepted().getOrDefault(resource, List.of()).isEmpty()) {
                report(Kind.NOTHING_OBSERVED, "nothing was written to %s", resource);
            }
        }
    }

    private void noTwoLeaders() {
        List<ObservedTerm> terms = history.terms();
        for (int i = 0; i < terms.size(); i++) {
            for (int j = i + 1; j < terms.size(); j++) {
                compare(terms.get(i), terms.get(j));
            }
        }
    }

    private void compare(ObservedTerm one, ObservedTerm other) {
        if (one.candidate().equals(other.candidate())) {
            return;
        }
        if (one.overlaps(other)) {
            report(Kind.TWO_LEADERS, "%s and %s", describe(one), describe(other));
        } else if (one.possibleOverlap(other) > 0) {
            if (wasSampled(one) && wasSampled(other)) {
                undecided++;
                longestUndecided = Math.max(longestUndecided, one.possibleOverlap(other));
            } else {
                pausedLeaders.add(wasSampled(one) ? other : one);
            }
        }
    }

    private static boolean wasSampled(ObservedTerm term) {
        return term.noAfter() - term.lastAsked() < PAUSE && term.firstAnswered() - term.noBefore() < PAUSE;
    }

    private String describe(ObservedTerm term) {
        return "%s (term %d, token %d, from %s to %s)"
                .formatted(
                        term.candidate(),
                        term.number(),
                        term.token(),
                        time(term.firstAnswered()),
                        time(term.lastAsked()));
    }

    /** A candidate that leads again with the same node has the same token; any other token must be greater. */
    private void tokensGrow() {
        List<ObservedTerm> known =
                history.terms().stream().filter(term -> term.token() != 0).toList();
        for (ObservedTerm later : known) {
            known.stream()
                    .filter(earlier -> earlier.firstAnswered() < later.firstAsked())
                    .filter(earlier -> earlier.token() > later.token()
                            || earlier.token() == later.token()
                                    && !earlier.candidate().equals(later.candidate()))
                    .max(Comparator.comparing(ObservedTerm::token))
                    .ifPresent(earlier ->
                            report(Kind.TOKEN_DID_NOT_GROW, "%s came after %s", describe(later), describe(earlier)));
        }
    }

    private void resourcesAreFenced() {
        history.accepted().forEach((resource, tokens) -> {
            for (int i = 1; i < tokens.size(); i++) {
                if (tokens.get(i) < tokens.get(i - 1)) {
                    report(
                            Kind.OLDER_TOKEN_ACCEPTED,
                            "%s, write %d: token %d after %d",
                            resource,
                            i,
                            tokens.get(i),
                            tokens.get(i - 1));
                }
            }
        });
        // ZooKeeper may refuse a write before the leader has learned of the deletion of its node. The table only
        // compares
        // tokens, so that it never refuses a leader.
        history.attempts().stream()
                .filter(attempt -> attempt.resource() == FencedResource.SQL
                        && attempt.outcome() == WriteOutcome.REFUSED
                        && attempt.valid())
                .forEach(attempt -> report(
                        Kind.LEADER_REFUSED,
                        "%s, token %d, at %s",
                        attempt.candidate(),
                        attempt.token(),
                        time(attempt.at())));
    }

    private void grantedAndRevokedAlternate() {
        Map<String, List<ListenerEvent>> byCandidate =
                history.events().stream().collect(Collectors.groupingBy(ListenerEvent::candidate));
        byCandidate.forEach((candidate, events) -> {
            boolean leads = false;
            long term = 0;
            for (ListenerEvent event : events) {
                long expected = event.granted() ? term + 1 : term;
                if (event.granted() == leads || event.term() != expected) {
                    report(
                            Kind.GRANTED_AND_REVOKED_DO_NOT_ALTERNATE,
                            "%s received %s of term %d at %s, %s",
                            candidate,
                            event.granted() ? "granted" : "revoked",
                            event.term(),
                            time(event.at()),
                            leads ? "leading in term " + term : "not leading after term " + term);
                }
                if (event.valid()) {
                    report(Kind.VALID_WHEN_REVOKED, "%s, term %d, at %s", candidate, event.term(), time(event.at()));
                }
                leads = event.granted();
                term = event.term();
            }
        });
    }

    /** All times without a leader. */
    private List<TimeSpan> gaps() {
        List<TimeSpan> gaps = new ArrayList<>();
        long led = history.span().from();
        for (ObservedTerm term : history.terms().stream()
                .sorted(Comparator.comparing(ObservedTerm::firstAsked))
                .toList()) {
            add(gaps, led, Math.min(term.firstAsked(), history.span().to()));
            led = Math.max(led, term.lastAnswered());
        }
        add(gaps, led, history.span().to());
        return gaps;
    }

    /** No leader is required while the ensemble is unhealthy, or while a queued candidate has a bad connection. */
    private List<TimeSpan> withoutExcuses(List<TimeSpan> gaps) {
        List<TimeSpan> rest = gaps;
        for (TimeSpan excuse : history.unhealthy()) {
            rest = without(rest, excuse);
        }
        for (Fault fault : history.faults()) {
            if (fault.kind().excuses()) {
                rest = without(rest, new TimeSpan(fault.from(), fault.to()));
            }
        }
        return rest;
    }

    /** Each fault starts the time again, since it may have hit the next candidate. */
    private List<TimeSpan> leaderless(List<TimeSpan> gaps) {
        List<TimeSpan> rest = gaps;
        for (Fault fault : history.faults()) {
            rest = without(rest, new TimeSpan(fault.from(), fault.from()));
        }
        return rest.stream()
                .sorted(Comparator.comparing(TimeSpan::seconds).reversed())
                .toList();
    }

    private static List<TimeSpan> without(List<TimeSpan> gaps, TimeSpan excuse) {
        List<TimeSpan> rest = new ArrayList<>();
        for (TimeSpan gap : gaps) {
            add(rest, gap.from(), Math.min(gap.to(), excuse.from()));
            add(rest, Math.max(gap.from(), excuse.to()), gap.to());
        }
        return rest;
    }

    private static void add(List<TimeSpan> spans, long from, long to) {
        if (from < to) {
            spans.add(new TimeSpan(from, to));
        }
    }

    private void noLeaderForTooLong(List<TimeSpan> leaderless) {
        for (TimeSpan gap : leaderless) {
            Duration allowed = isOfAnUnobservedCrash(gap) ? bound.plus(session) : bound;
            if (gap.to() - gap.from() > allowed.toNanos()) {
                report(
                        Kind.NO_LEADER_FOR_TOO_LONG,
                        "%.3f s, from %s to %s; %.3f s are allowed",
                        gap.seconds(),
                        time(gap.from()),
                        time(gap.to()),
                        allowed.toNanos() / 1e9);
            }
        }
    }

    /**
     * Whether a candidate was killed, frozen or cut off around a time in which the ensemble was unhealthy, and there was no
     * leader since: the outage voids what an heir has observed, and begins the session of that candidate anew.
     */
    private boolean isOfAnUnobservedCrash(TimeSpan gap) {
        long led = lastLedBefore(gap.from()) - LATE_ANSWER;
        return history.unhealthy().stream()
                .filter(outage -> outage.from() <= gap.from() && gap.from() <= outage.to() + bound.toNanos())
                .anyMatch(outage -> history.faults().stream()
                        .filter(fault -> fault.kind().silences())
                        .anyMatch(fault ->
                                fault.from() <= gap.from() && lastSilent(fault) >= Math.min(outage.from(), led)));
    }

    /** A process that was killed is replaced by another one. */
    private static long lastSilent(Fault fault) {
        return fault.kind() == FaultKind.CANDIDATE_KILLED ? fault.from() : fault.to();
    }

    private long lastLedBefore(long time) {
        return history.terms().stream()
                .mapToLong(ObservedTerm::lastAnswered)
                .filter(answered -> answered <= time)
                .max()
                .orElse(time);
    }

    private void oneLeaderAtTheEnd() {
        long at = history.finalState().at();
        List<ObservedTerm> leaders = history.terms().stream()
                .filter(term -> term.firstAnswered() <= at && at <= term.lastAsked())
                .toList();
        if (leaders.size() != 1) {
            report(
                    Kind.NOT_ONE_LEADER_AT_THE_END,
                    "%d at %s: %s",
                    leaders.size(),
                    time(at),
                    leaders.stream().map(this::describe).toList());
        }
    }

    private void noStrayNodes() {
        FinalState finalState = history.finalState();
        Set<String> missing = new HashSet<>(finalState.expected());
        for (String owner : finalState.owners()) {
            if (!missing.remove(owner)) {
                report(Kind.STRAY_NODE, "a node of %s, expected are nodes of %s", owner, finalState.expected());
            }
        }
        if (!missing.isEmpty()) {
            report(Kind.STRAY_NODE, "no node of %s", missing);
        }
        if (finalState.heartbeats() > finalState.expected().size()) {
            report(
                    Kind.STRAY_NODE,
                    "%d heartbeats of %d candidates",
                    finalState.heartbeats(),
                    finalState.expected().size());
        }
        finalState.leftovers().forEach(node -> report(Kind.STRAY_NODE, "%s, after all had left", node));
    }
}
