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
 * Compares a history with what is promised. It reports what is certain, and nothing that a pause at a wrong moment could
 * explain.
 */
final class Checker {

    /** Who was not asked for so long did not run: nothing can be said about that time, and nobody could act in it. */
    private static final long NOT_RUNNING = TimeUnit.MILLISECONDS.toNanos(50);

    private final History history;
    private final Duration bound;
    private final List<Violation> violations = new ArrayList<>();
    private int undecided;
    private long longestUndecided;
    private final Set<Reign> sleepers = new HashSet<>();

    private Checker(History history, Duration bound) {
        this.history = history;
        this.bound = bound;
    }

    /** @param bound for so long there may be no leader while the ensemble is healthy */
    static Findings check(History history, Duration bound) {
        return new Checker(history, bound).check();
    }

    private Findings check() {
        somethingWasSeen();
        noTwoLeaders();
        tokensGrow();
        resourcesAreFenced();
        grantedAndRevokedAlternate();
        List<Span> throughFaults = withoutExcuses(gaps());
        List<Span> leaderless = leaderless(throughFaults);
        noLeaderForTooLong(leaderless);
        oneLeaderAtTheEnd();
        noStrayNodes();
        double longest = throughFaults.stream().mapToDouble(Span::seconds).max().orElse(0);
        return new Findings(List.copyOf(violations), leaderless, longest, undecided, longestUndecided, sleepers.size());
    }

    private void report(Kind kind, String what, Object... arguments) {
        violations.add(new Violation(kind, what.formatted(arguments)));
    }

    /** The time since the start of the run, for people. */
    private String time(long nanos) {
        return "%.6f s".formatted((nanos - history.span().from()) / 1e9);
    }

    private void somethingWasSeen() {
        if (history.reigns().isEmpty()) {
            report(Kind.NOTHING_SEEN, "nobody ever led");
        }
        if (history.faults().isEmpty()) {
            report(Kind.NOTHING_SEEN, "nothing was disturbed");
        }
        for (Resource resource : Resource.values()) {
            if (history.accepted().getOrDefault(resource, List.of()).isEmpty()) {
                report(Kind.NOTHING_SEEN, "nothing was written to %s", resource);
            }
        }
    }

    private void noTwoLeaders() {
        List<Reign> reigns = history.reigns();
        for (int i = 0; i < reigns.size(); i++) {
            for (int j = i + 1; j < reigns.size(); j++) {
                compare(reigns.get(i), reigns.get(j));
            }
        }
    }

    private void compare(Reign one, Reign other) {
        if (one.who().equals(other.who())) {
            return;
        }
        if (one.overlaps(other)) {
            report(Kind.TWO_LEADERS, "%s and %s", describe(one), describe(other));
        } else if (one.possibleOverlap(other) > 0) {
            if (wasAsked(one) && wasAsked(other)) {
                undecided++;
                longestUndecided = Math.max(longestUndecided, one.possibleOverlap(other));
            } else {
                sleepers.add(wasAsked(one) ? other : one);
            }
        }
    }

    private static boolean wasAsked(Reign reign) {
        return reign.noAfter() - reign.lastAsked() < NOT_RUNNING
                && reign.firstAnswered() - reign.noBefore() < NOT_RUNNING;
    }

    private String describe(Reign reign) {
        return "%s (term %d, token %d, from %s to %s)"
                .formatted(
                        reign.who(), reign.term(), reign.token(), time(reign.firstAnswered()), time(reign.lastAsked()));
    }

    /** A candidate that leads again on the same node has the same token; anybody else's must be greater. */
    private void tokensGrow() {
        List<Reign> known =
                history.reigns().stream().filter(reign -> reign.token() != 0).toList();
        for (Reign later : known) {
            known.stream()
                    .filter(earlier -> earlier.firstAnswered() < later.firstAsked())
                    .filter(earlier -> earlier.token() > later.token()
                            || earlier.token() == later.token()
                                    && !earlier.who().equals(later.who()))
                    .max(Comparator.comparing(Reign::token))
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
        // ZooKeeper's refusal may come before the news that the own node was deleted; the table knows nothing but
        // tokens.
        history.attempts().stream()
                .filter(attempt ->
                        attempt.resource() == Resource.SQL && attempt.outcome() == Outcome.REFUSED && attempt.valid())
                .forEach(attempt -> report(
                        Kind.LEADER_REFUSED,
                        "%s, token %d, at %s",
                        attempt.who(),
                        attempt.token(),
                        time(attempt.at())));
    }

    private void grantedAndRevokedAlternate() {
        Map<String, List<Told>> byCandidate = history.told().stream().collect(Collectors.groupingBy(Told::who));
        byCandidate.forEach((who, events) -> {
            boolean leads = false;
            long term = 0;
            for (Told event : events) {
                long expected = event.granted() ? term + 1 : term;
                if (event.granted() == leads || event.term() != expected) {
                    report(
                            Kind.GRANTED_AND_REVOKED_DO_NOT_ALTERNATE,
                            "%s was told %s of term %d at %s, %s",
                            who,
                            event.granted() ? "granted" : "revoked",
                            event.term(),
                            time(event.at()),
                            leads ? "leading in term " + term : "not leading after term " + term);
                }
                if (event.valid()) {
                    report(Kind.VALID_WHEN_REVOKED, "%s, term %d, at %s", who, event.term(), time(event.at()));
                }
                leads = event.granted();
                term = event.term();
            }
        });
    }

    /** All times in which nobody led. */
    private List<Span> gaps() {
        List<Span> gaps = new ArrayList<>();
        long led = history.span().from();
        for (Reign reign : history.reigns().stream()
                .sorted(Comparator.comparing(Reign::firstAsked))
                .toList()) {
            add(gaps, led, Math.min(reign.firstAsked(), history.span().to()));
            led = Math.max(led, reign.lastAnswered());
        }
        add(gaps, led, history.span().to());
        return gaps;
    }

    /** Nobody need lead while the ensemble is not healthy, or while somebody has a place in the queue and a bad link. */
    private List<Span> withoutExcuses(List<Span> gaps) {
        List<Span> rest = gaps;
        for (Span excuse : history.unhealthy()) {
            rest = without(rest, excuse);
        }
        for (Fault fault : history.faults()) {
            if (fault.kind().excuses()) {
                rest = without(rest, new Span(fault.from(), fault.to()));
            }
        }
        return rest;
    }

    /** The clock starts anew with each disturbance: whoever was next may be gone as well. */
    private List<Span> leaderless(List<Span> gaps) {
        List<Span> rest = gaps;
        for (Fault fault : history.faults()) {
            rest = without(rest, new Span(fault.from(), fault.from()));
        }
        return rest.stream()
                .sorted(Comparator.comparing(Span::seconds).reversed())
                .toList();
    }

    private static List<Span> without(List<Span> gaps, Span excuse) {
        List<Span> rest = new ArrayList<>();
        for (Span gap : gaps) {
            add(rest, gap.from(), Math.min(gap.to(), excuse.from()));
            add(rest, Math.max(gap.from(), excuse.to()), gap.to());
        }
        return rest;
    }

    private static void add(List<Span> spans, long from, long to) {
        if (from < to) {
            spans.add(new Span(from, to));
        }
    }

    private void noLeaderForTooLong(List<Span> leaderless) {
        leaderless.stream()
                .filter(gap -> gap.to() - gap.from() > bound.toNanos())
                .forEach(gap -> report(
                        Kind.NO_LEADER_FOR_TOO_LONG,
                        "%.3f s, from %s to %s; %.3f s are allowed",
                        gap.seconds(),
                        time(gap.from()),
                        time(gap.to()),
                        bound.toNanos() / 1e9));
    }

    private void oneLeaderAtTheEnd() {
        long at = history.ending().at();
        List<Reign> leaders = history.reigns().stream()
                .filter(reign -> reign.firstAnswered() <= at && at <= reign.lastAsked())
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
        Ending ending = history.ending();
        Set<String> missing = new HashSet<>(ending.expected());
        for (String owner : ending.owners()) {
            if (!missing.remove(owner)) {
                report(Kind.STRAY_NODE, "a candidate's node of %s, there should be %s", owner, ending.expected());
            }
        }
        if (!missing.isEmpty()) {
            report(Kind.STRAY_NODE, "no node of %s", missing);
        }
        if (ending.beats() > ending.expected().size()) {
            report(
                    Kind.STRAY_NODE,
                    "%d heartbeats of %d candidates",
                    ending.beats(),
                    ending.expected().size());
        }
        ending.leftovers().forEach(node -> report(Kind.STRAY_NODE, "%s, after all had left", node));
    }
}
