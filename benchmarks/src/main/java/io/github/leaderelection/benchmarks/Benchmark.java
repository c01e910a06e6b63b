package io.github.leaderelection.benchmarks;

import io.github.leaderelection.benchmarks.report.BarChart;
import io.github.leaderelection.benchmarks.report.Markdown;
import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.scenario.Mode;
import io.github.leaderelection.benchmarks.scenario.Scenario;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Runs the scenarios and writes a report. Arguments: the mode, the directory of the report, and the names of scenarios and
 * servers (default: those of the mode).
 */
public final class Benchmark {

    private final Mode mode;
    private final Path target;
    private final Plan plan;
    private final List<Result> results = new ArrayList<>();

    private Benchmark(Mode mode, Path target, Plan plan) {
        this.mode = mode;
        this.target = target;
        this.plan = plan;
    }

    public static void main(String[] arguments) throws Exception {
        Mode mode = Mode.named(arguments[0]);
        String only = arguments.length > 2 ? arguments[2] : "";
        Plan plan = Plan.of(only.isBlank() ? mode.defaultSelection() : only);
        new Benchmark(mode, Path.of(arguments[1]), plan).run();
        // Some subjects leave threads behind.
        System.exit(0);
    }

    private void run() throws Exception {
        Files.createDirectories(target);
        run(Plan.MEMORY, () -> Servers.inMemory().orElseGet(() -> Servers.onDisk(target)));
        run(Plan.DISK, () -> Servers.onDisk(target));
        run(Plan.ENSEMBLE, () -> Servers.ensemble(target));
        System.out.println(report());
    }

    /** Starts the servers only if a scenario uses them. */
    private void run(String server, Supplier<Servers> start) throws Exception {
        if (!plan.on(server).isEmpty()) {
            try (Servers servers = start.get()) {
                for (Scenario scenario : plan.on(server)) {
                    run(scenario, servers);
                }
            }
        }
    }

    private void run(Scenario scenario, Servers servers) throws Exception {
        long start = System.nanoTime();
        results.addAll(scenario.measure(servers, mode));
        report();
        System.err.printf(
                Locale.ROOT, "%s (%s): %.0f s%n", scenario.name(), servers.name(), (System.nanoTime() - start) / 1e9);
    }

    /** Written after each scenario, so that an interrupted run leaves the results so far. */
    private String report() throws IOException {
        List<String> subjects = Subjects.ALL.stream().map(Subject::name).toList();
        List<Result> sorted = inTables();
        String text = "## Results, mode %s, %s%n%s"
                .formatted(mode.name(), LocalDate.now(ZoneId.systemDefault()), Markdown.of(sorted, subjects));
        Files.writeString(target.resolve("report.md"), text);
        for (Map.Entry<String, String> chart : charts(sorted).entrySet()) {
            Files.writeString(target.resolve(chart.getKey()), chart.getValue());
        }
        return text;
    }

    /** Sorted by table: a scenario that runs on several servers adds a row for each of them. */
    private List<Result> inTables() {
        List<String> order = results.stream().map(Result::table).distinct().toList();
        return results.stream()
                .sorted(Comparator.comparingInt(result -> order.indexOf(result.table())))
                .toList();
    }

    private static Map<String, String> charts(List<Result> results) {
        List<String> subjects = Subjects.ALL.stream().map(Subject::name).toList();
        Map<String, List<Result>> byTable =
                results.stream().collect(Collectors.groupingBy(Result::table, LinkedHashMap::new, Collectors.toList()));
        Map<String, String> charts = new LinkedHashMap<>();
        byTable.forEach((table, groups) -> charts.put(
                table.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".svg",
                BarChart.of(title(table, groups.get(0).unit()), groups, subjects)));
        return charts;
    }

    private static String title(String table, String unit) {
        return table + (unit.isEmpty() ? "" : ", " + unit) + ", median";
    }
}
