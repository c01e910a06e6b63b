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
import io.github.leaderelection.benchmarks.scenario.Scenario;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which scenarios run on which servers: all, or those that were named. */
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
                        // First, because it also sees to it that everybody's code is compiled, here and in the server.
                        new ManyElections(),
                        new HandOver(),
                        new FirstLeadership(),
                        // What is told by one kind of server.
                        new Herd(),
                        new Requests(),
                        new Idle(),
                        new Growth(),
                        new Crash(),
                        new Cold(),
                        new JmhBenchmarks()));
        all.put(DISK, everywhere);
        all.put(ENSEMBLE, everywhere);
        return all;
    }

    /**
     * @param only names of servers and of scenarios, separated by commas; without one of either kind all of it are meant
     * @throws IllegalArgumentException if there is no such name, or a scenario is measured on none of the servers
     */
    static Plan of(String only) {
        Set<String> names = Arrays.stream(only.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
        Set<String> servers = picked(names, ALL.keySet()::contains);
        Set<String> scenarios = picked(names, name -> !ALL.containsKey(name));
        Map<String, List<Scenario>> byServer = new LinkedHashMap<>();
        ALL.forEach((server, offered) -> {
            if (servers.isEmpty() || servers.contains(server)) {
                byServer.put(
                        server,
                        offered.stream()
                                .filter(each -> isPicked(each, scenarios))
                                .toList());
            }
        });
        scenarios.forEach(scenario -> requireMeasured(scenario, byServer));
        return new Plan(byServer);
    }

    private static Set<String> picked(Set<String> names, Predicate<String> which) {
        return names.stream().filter(which).collect(Collectors.toSet());
    }

    private static boolean isPicked(Scenario scenario, Set<String> scenarios) {
        return scenarios.isEmpty() || scenarios.contains(scenario.name());
    }

    /** Better no report than one in which something is silently missing. */
    private static void requireMeasured(String scenario, Map<String, List<Scenario>> byServer) {
        if (!names(ALL).contains(scenario)) {
            throw new IllegalArgumentException(
                    "Neither a scenario nor a server: %s; there are the scenarios %s and the servers %s"
                            .formatted(scenario, names(ALL), ALL.keySet()));
        }
        if (!names(byServer).contains(scenario)) {
            throw new IllegalArgumentException(
                    "Scenario %s is not measured on %s".formatted(scenario, byServer.keySet()));
        }
    }

    private static List<String> names(Map<String, List<Scenario>> byServer) {
        return byServer.values().stream()
                .flatMap(List::stream)
                .map(Scenario::name)
                .distinct()
                .toList();
    }

    /** In the order in which they are to run. */
    List<Scenario> on(String server) {
        return byServer.getOrDefault(server, List.of());
    }
}
