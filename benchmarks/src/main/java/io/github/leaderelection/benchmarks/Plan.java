package io.github.leaderelection.benchmarks;

import io.github.leaderelection.benchmarks.jmh.JmhBenchmarks;
import io.github.leaderelection.benchmarks.scenario.Cold;
import io.github.leaderelection.benchmarks.scenario.Crash;
import io.github.leaderelection.benchmarks.scenario.FirstLeadership;
import io.github.leaderelection.benchmarks.scenario.Growth;
import io.github.leaderelection.benchmarks.scenario.HandOver;
import io.github.leaderelection.benchmarks.scenario.Herd;
import io.github.leaderelection.benchmarks.scenario.Idle;
import io.github.leaderelection.benchmarks.scenario.ManyElections;
import io.github.leaderelection.benchmarks.scenario.Requests;
import io.github.leaderelection.benchmarks.scenario.Rest;
import io.github.leaderelection.benchmarks.scenario.Scenario;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which scenarios run on which servers: all of them, or a selection by name. */
final class Plan {

    static final String MEMORY = "memory";
    static final String DISK = "disk";
    static final String ENSEMBLE = "ensemble";

    private static final Map<String, List<Scenario>> ALL = all();

    private final Map<String, List<Scenario>> byServer;

    private Plan(Map<String, List<Scenario>> byServer) {
        this.byServer = byServer;
    }

    private static Map<String, List<Scenario>> all() {
        List<Scenario> everywhere = List.of(new HandOver(), new FirstLeadership());
        Map<String, List<Scenario>> all = new LinkedHashMap<>();
        all.put(
                MEMORY,
                List.of(
                        // First, because it also warms up the subjects and the server.
                        new ManyElections(),
                        new HandOver(),
                        new FirstLeadership(),
                        // The kind of server makes no difference to the following.
                        new Herd(),
                        new Requests(),
                        new Idle(),
                        new Rest(),
                        new Growth(),
                        new Crash(),
                        new Cold(),
                        new JmhBenchmarks()));
        all.put(DISK, everywhere);
        all.put(ENSEMBLE, everywhere);
        return all;
    }

    /**
     * @param only names of scenarios and servers, separated by commas; no name of a scenario selects all scenarios, no name
     *     of a server all servers
     * @throws IllegalArgumentException if a name is unknown, or a scenario does not run on any of the selected servers
     */
    static Plan of(String only) {
        Set<String> names = Arrays.stream(only.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
        Set<String> servers = selected(names, ALL.keySet()::contains);
        Set<String> scenarios = selected(names, name -> !ALL.containsKey(name));
        Map<String, List<Scenario>> byServer = new LinkedHashMap<>();
        ALL.forEach((server, offered) -> {
            if (servers.isEmpty() || servers.contains(server)) {
                byServer.put(
                        server,
                        offered.stream()
                                .filter(each -> isSelected(each, scenarios))
                                .toList());
            }
        });
        scenarios.forEach(scenario -> requireMeasured(scenario, byServer));
        return new Plan(byServer);
    }

    private static Set<String> selected(Set<String> names, Predicate<String> which) {
        return names.stream().filter(which).collect(Collectors.toSet());
    }

    private static boolean isSelected(Scenario scenario, Set<String> scenarios) {
        return scenarios.isEmpty() || scenarios.contains(scenario.name());
    }

    /** Fails rather than omit a scenario from the report silently. */
    private static void requireMeasured(String scenario, Map<String, List<Scenario>> byServer) {
        if (!names(ALL).contains(scenario)) {
            throw new IllegalArgumentException(
                    "Neither a scenario nor a server: %s; the scenarios are %s, the servers %s"
                            .formatted(scenario, names(ALL), ALL.keySet()));
        }
        if (!names(byServer).contains(scenario)) {
            throw new IllegalArgumentException("Scenario %s does not run on %s".formatted(scenario, byServer.keySet()));
        }
    }

    private static List<String> names(Map<String, List<Scenario>> byServer) {
        return byServer.values().stream()
                .flatMap(List::stream)
                .map(Scenario::name)
                .distinct()
                .toList();
    }

    /** The scenarios in the order in which they run. */
    List<Scenario> on(String server) {
        return byServer.getOrDefault(server, List.of());
    }
}
