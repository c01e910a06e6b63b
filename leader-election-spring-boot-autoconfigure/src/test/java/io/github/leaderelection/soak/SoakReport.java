package io.github.leaderelection.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes the results of a run to {@code report.md} and {@code timeline.svg}. */
final class SoakReport {

    private static final int SHOWN = 10;

    private final SoakSettings settings;
    private final History history;
    private final CheckResult result;
    private final StringBuilder text = new StringBuilder();

    private SoakReport(SoakSettings settings, History history, CheckResult result) {
        this.settings = settings;
        this.history = history;
        this.result = result;
    }

    /** Checks the history and writes the report beside it. */
    static CheckResult write(SoakSettings settings, History history) throws IOException {
        CheckResult result = Checker.check(history, settings.bound(), settings.session());
        String report = new SoakReport(settings, history, result).write();
        Files.writeString(settings.directory().resolve("report.md"), report);
        Files.writeString(settings.directory().resolve("timeline.svg"), TimelinePicture.draw(history, result));
        return result;
    }

    private void line(String line, Object... arguments) {
        text.append(line.formatted(arguments)).append('\n');
    }

    private String write() {
        line("# Soak, seed %d%s", settings.seed(), settings.naive() ? ", naive election" : "");
        line("");
        summary();
        line("");
        line("![Faults above, leaders below](timeline.svg)");
        violations();
        faults();
        leaders();
        leaderless();
        writes();
        return text.toString();
    }

    private void summary() {
        long count = history.faults().stream()
                .filter(fault -> fault.kind().isFault())
                .count();
        line(
                "- %s",
                result.violations().isEmpty()
                        ? "No violation"
                        : result.violations().size() + " violations");
        line(
                "- %d faults and %d requests to hand over in %s",
                count, history.faults().size() - count, seconds(history.span().seconds()));
        line(
                "- %d terms of %d candidate processes",
                history.terms().size(),
                history.terms().stream().map(ObservedTerm::candidate).distinct().count());
        line("- %d take-overs from leaders whose sessions had not ended", history.takeOvers());
        line(
                "- longest time without a leader on a healthy ensemble: %s; allowed: %s (session timeout %s, lease %s, %s on top); with further faults meanwhile: %s",
                seconds(result.longestLeaderless()),
                seconds(settings.bound()),
                seconds(settings.session()),
                seconds(settings.lease()),
                seconds(settings.slack()),
                seconds(result.longestThroughFaults()));
        line(
                "- two leaders at once: %d; not decided by sampling: %d, for at most %.2f ms",
                count(Violation.Kind.TWO_LEADERS), result.undecided(), result.longestUndecided() / 1e6);
        line(
                "- tokens that did not grow: %d; stray nodes: %d",
                count(Violation.Kind.TOKEN_DID_NOT_GROW), count(Violation.Kind.STRAY_NODE));
        line(
                "- leaders that were paused during their succession, and said no when they were asked again: %d",
                result.pausedLeaders());
        line(
                "- ZooKeeper servers: %s; Java %s",
                serverVersion(), Runtime.version().feature());
    }

    private static String serverVersion() {
        return System.getProperty("zookeeper.server.version", org.apache.zookeeper.Version.getVersion());
    }

    private long count(Violation.Kind kind) {
        return result.violations().stream()
                .filter(violation -> violation.kind() == kind)
                .count();
    }

    private void violations() {
        Map<Violation.Kind, List<Violation>> byKind =
                new TreeMap<>(result.violations().stream().collect(Collectors.groupingBy(Violation::kind)));
        byKind.forEach((kind, all) -> {
            line("");
            line("## %s: %d", kind.title(), all.size());
            all.stream().limit(SHOWN).forEach(violation -> line("- %s", violation.what()));
        });
    }

    private void faults() {
        line("");
        line("## Faults");
        line("| kind | times | seconds in all |");
        line("|---|---:|---:|");
        for (FaultKind kind : FaultKind.values()) {
            List<Fault> all = history.faults().stream()
                    .filter(fault -> fault.kind() == kind)
                    .toList();
            line(
                    "| %s | %d | %.1f |",
                    kind.title(),
                    all.size(),
                    all.stream()
                            .mapToDouble(fault -> (fault.to() - fault.from()) / 1e9)
                            .sum());
        }
        double unhealthy = history.unhealthy().stream()
                .mapToDouble(span -> Math.max(
                                0,
                                Math.min(span.to(), history.span().to())
                                        - Math.max(span.from(), history.span().from()))
                        / 1e9)
                .sum();
        line("");
        line("The ensemble was unhealthy for %s. At most %d faults overlapped.", seconds(unhealthy), mostAtOnce());
    }

    private long mostAtOnce() {
        return history.faults().stream()
                .mapToLong(fault -> history.faults().stream()
                        .filter(other -> other.from() <= fault.from() && fault.from() < other.to())
                        .count())
                .max()
                .orElse(0);
    }

    private void leaders() {
        line("");
        line("## Why terms ended");
        line("| reason | times |");
        line("|---|---:|");
        new TreeMap<>(history.events().stream()
                        .filter(event -> !event.granted())
                        .collect(Collectors.groupingBy(ListenerEvent::reason, Collectors.counting())))
                .forEach((reason, times) ->
                        line("| %s | %d |", reason.toLowerCase(Locale.ROOT).replace('_', ' '), times));
    }

    private void leaderless() {
        line("");
        line("## Longest times without a leader on a healthy ensemble");
        line("| seconds | from | last fault before |");
        line("|---:|---:|---|");
        result.leaderless().stream()
                .limit(SHOWN)
                .forEach(gap -> line(
                        "| %.3f | %.3f | %s |",
                        gap.seconds(),
                        (gap.from() - history.span().from()) / 1e9,
                        history.faults().stream()
                                .filter(fault -> fault.from() <= gap.from() + 1_000_000)
                                .max(Comparator.comparing(Fault::from))
                                .map(fault -> fault.kind().title() + ", " + fault.target())
                                .orElse("-")));
    }

    private void writes() {
        line("");
        line("## Writes to the fenced resources, as the candidates saw them");
        line("| resource | accepted | of them without a valid term | refused | unknown |");
        line("|---|---:|---:|---:|---:|");
        for (FencedResource resource : FencedResource.values()) {
            Function<WriteOutcome, Long> times = outcome -> history.attempts().stream()
                    .filter(attempt -> attempt.resource() == resource && attempt.outcome() == outcome)
                    .count();
            line(
                    "| %s | %d | %d | %d | %d |",
                    resource,
                    times.apply(WriteOutcome.ACCEPTED),
                    history.attempts().stream()
                            .filter(attempt -> attempt.resource() == resource
                                    && attempt.outcome() == WriteOutcome.ACCEPTED
                                    && !attempt.valid())
                            .count(),
                    times.apply(WriteOutcome.REFUSED),
                    times.apply(WriteOutcome.UNKNOWN));
        }
        line("");
        line(
                "The resources themselves have %s.",
                Arrays.stream(FencedResource.values())
                        .map(resource -> history.accepted().get(resource).size() + " writes in " + resource)
                        .collect(Collectors.joining(" and ")));
    }

    private static String seconds(Duration duration) {
        return seconds(duration.toNanos() / 1e9);
    }

    private static String seconds(double seconds) {
        return "%.2f s".formatted(seconds);
    }
}
