package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.server.Traffic;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Connection;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The packets of connections that lead elections in which nothing happens. All connections are observed at the same time,
 * because pings and renewals are seconds apart and take a long time to count; the server counts each connection by itself.
 */
public final class Idle implements Scenario {

    /** Our elections are verified every 30 s, give or take a quarter of that; so none is verified before this time. */
    private static final int UNVERIFIED_SECONDS = 22;
    /** By this time all were verified once, and the rate is steady. */
    private static final int VERIFIED_FROM_SECONDS = 38;

    private static final int VERIFIED_UNTIL_SECONDS = 68;

    private static final int MIN_SECONDS = 5;

    private record Leader(String subject, int elections, Connection connection) {}

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        List<Integer> counts = List.of(1, 100, mode.elections());
        List<Leader> leaders = new ArrayList<>();
        try (AdminClient admin = new AdminClient(servers.address())) {
            for (Subject subject : Subjects.ALL) {
                for (int count : counts) {
                    Elections.createPaths(admin, root(subject, count), count);
                }
            }
            long opened = System.nanoTime();
            for (Subject subject : Subjects.ALL) {
                // The last value is that of ours, which is the last subject: the time of its verifications starts here.
                opened = System.nanoTime();
                for (int count : counts) {
                    Connection connection = subject.connect(servers.address(), TYPICAL_SESSION_MILLIS);
                    leaders.add(new Leader(subject.name(), count, connection));
                    new Elections(connection, root(subject, count), count).lead();
                }
            }
            Pauses.untilQuiet(servers);
            return measure(servers, leaders, opened, mode.idleSeconds());
        } finally {
            Connection.closeAll(leaders.stream().map(Leader::connection).toList());
        }
    }

    private static String root(Subject subject, int count) {
        return "/idle/" + Scenario.nodeName(subject) + "-" + count;
    }

    private static List<Result> measure(Servers servers, List<Leader> leaders, long opened, int seconds)
            throws TimeoutException {
        List<Result> results = new ArrayList<>(rates(
                "Idle: renewals and pings of a connection that leads",
                servers,
                leaders,
                opened + TimeUnit.SECONDS.toNanos(Math.min(seconds, UNVERIFIED_SECONDS))));
        if (seconds >= VERIFIED_UNTIL_SECONDS) {
            Pauses.until(opened + TimeUnit.SECONDS.toNanos(VERIFIED_FROM_SECONDS));
            results.addAll(rates(
                    "Idle: all packets of a connection that leads, periodic verification included",
                    servers,
                    leaders,
                    opened + TimeUnit.SECONDS.toNanos(VERIFIED_UNTIL_SECONDS)));
        }
        return results;
    }

    private static List<Result> rates(String table, Servers servers, List<Leader> leaders, long until)
            throws TimeoutException {
        Map<Long, Traffic> before = servers.trafficBySession();
        long start = System.nanoTime();
        if (until - start < TimeUnit.SECONDS.toNanos(MIN_SECONDS)) {
            throw new TimeoutException(
                    "It took too long until all elections were led: there is no time left to observe them");
        }
        Pauses.until(until);
        Map<Long, Traffic> after = servers.trafficBySession();
        double seconds = (System.nanoTime() - start) / 1e9;
        Map<Integer, Result> byCount = new TreeMap<>();
        for (Leader leader : leaders) {
            long packets = received(after, leader) - received(before, leader);
            byCount.computeIfAbsent(leader.elections(), count -> new Result(table, "packets/s", row(count)))
                    .add(leader.subject(), packets / seconds);
        }
        return List.copyOf(byCount.values());
    }

    private static long received(Map<Long, Traffic> bySession, Leader leader) {
        return Objects.requireNonNull(
                        bySession.get(leader.connection().session()), () -> "No connection of " + leader.subject())
                .received();
    }

    private static String row(int count) {
        return count == 1 ? "1 election" : count + " elections";
    }
}
