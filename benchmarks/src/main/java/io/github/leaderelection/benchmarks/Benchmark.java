package io.github.leaderelection.benchmarks;

import io.github.leaderelection.benchmarks.jmh.Nanoseconds;
import io.github.leaderelection.benchmarks.report.BarChart;
import io.github.leaderelection.benchmarks.report.Markdown;
import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.scenario.Crash;
import io.github.leaderelection.benchmarks.scenario.FirstLeadership;
import io.github.leaderelection.benchmarks.scenario.Growth;
import io.github.leaderelection.benchmarks.scenario.HandOver;
import io.github.leaderelection.benchmarks.scenario.Herd;
import io.github.leaderelection.benchmarks.scenario.ManyElections;
import io.github.leaderelection.benchmarks.scenario.Mode;
import io.github.leaderelection.benchmarks.scenario.Requests;
import io.github.leaderelection.benchmarks.scenario.Scenario;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Runs everything, and writes a report. Arguments: the mode, the directory of the report, the scenarios (or all). */
public final class Benchmark {

    private static final List<Scenario> EVERYWHERE = List.of(new HandOver(), new FirstLeadership());
    /** What is told by one kind of server. */
    private static final List<Scenario> IN_MEMORY =
            List.of(new Herd(), new Requests(), new Growth(), new Crash(), new Nanoseconds());

    private final Mode mode;
    private final Path target;
    private final Predicate<String> wanted;
    private final List<Result> results = new ArrayList<>();

    private Benchmark(Mode mode, Path target, Predicate<String> wanted) {
        this.mode = mode;
        this.target = target;
        this.wanted = wanted;
    }

    public static void main(String[] arguments) throws Exception {
        Set<String> only = arguments.length > 2 && !arguments[2].isBlank()
                ? Set.copyOf(Arrays.asList(arguments[2].split(",")))
                : Set.of();
        new Benchmark(Mode.named(arguments[0]), Path.of(arguments[1]), name -> only.isEmpty() || only.contains(name))
                .run();
        // Threads of others may linger.
        System.exit(0);
    }

    private void run() throws Exception {
        Files.createDirectories(target);
        try (Servers servers = Servers.inMemory().orElseGet(() -> Servers.onDisk(target))) {
            // First, because it also sees to it that everybody's code is compiled, here and in the server.
            run(List.of(new ManyElections()), servers);
            run(EVERYWHERE, servers);
            run(IN_MEMORY, servers);
        }
        if (wanted.test("disk")) {
            try (Servers servers = Servers.onDisk(target)) {
                run(EVERYWHERE, servers);
            }
        }
        if (wanted.test("ensemble")) {
            try (Servers servers = Servers.ensemble(target)) {
                run(EVERYWHERE, servers);
            }
        }
        report();
    }

    private void run(List<Scenario> scenarios, Servers servers) throws Exception {
        for (Scenario scenario : scenarios) {
            if (wanted.test(scenario.name())) {
                long start = System.nanoTime();
                results.addAll(scenario.measure(servers, mode));
                System.err.printf(
                        Locale.ROOT,
                        "%s (%s): %.0f s%n",
                        scenario.name(),
                        servers.name(),
                        (System.nanoTime() - start) / 1e9);
            }
        }
    }

    private void report() throws IOException {
        List<String> subjects = Subject.ALL.stream().map(Subject::name).toList();
        List<Result> sorted = inTables();
        String text = "## Results, mode %s, %s%n%s"
                .formatted(mode.name(), LocalDate.now(ZoneId.systemDefault()), Markdown.of(sorted, subjects));
        System.out.println(text);
        Files.writeString(target.resolve("report.md"), text);
        charts(sorted).forEach((file, chart) -> {
            try {
                Files.writeString(target.resolve(file), chart);
            } catch (IOException failure) {
                throw new java.io.UncheckedIOException(failure);
            }
        });
    }

    /** What is measured on several servers comes together. */
    private List<Result> inTables() {
        List<String> order = results.stream().map(Result::what).distinct().toList();
        return results.stream()
                .sorted(Comparator.comparingInt(result -> order.indexOf(result.what())))
                .toList();
    }

    private static Map<String, String> charts(List<Result> results) {
        List<String> subjects = Subject.ALL.stream().map(Subject::name).toList();
        Map<String, List<Result>> byTable =
                results.stream().collect(Collectors.groupingBy(Result::what, LinkedHashMap::new, Collectors.toList()));
        Map<String, String> charts = new LinkedHashMap<>();
        byTable.forEach((what, groups) -> charts.put(
                what.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".svg",
                BarChart.of(what + ", " + groups.get(0).unit() + ", median", groups, subjects)));
        return charts;
    }
}
