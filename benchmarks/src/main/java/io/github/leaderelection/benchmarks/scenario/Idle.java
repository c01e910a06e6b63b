package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What connections send that lead elections at which nothing happens. All of them at the same time, each with its own
 * count: pings and renewals are seconds apart, so whoever looks for a moment sees one more or one less.
 */
public final class Idle implements Scenario {

    /** Ours verifies each election every 30 s or up to a quarter sooner or later, not all at once; so none before this. */
    private static final int UNVERIFIED_SECONDS = 22;
    /** All were verified once by then, so what ours does from now on it does always. */
    private static final int VERIFIED_FROM_SECONDS = 38;

    private static final int VERIFIED_UNTIL_SECONDS = 68;

    private static final int FEWEST_SECONDS = 5;

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
            for (Subject subject : Subject.ALL) {
                for (int count : counts) {
                    Elections.make(admin, root(subject, count), count);
                }
            }
            long opened = System.nanoTime();
            for (Subject subject : Subject.ALL) {
                // That of ours, which is the last: its verifications count from here.
                opened = System.nanoTime();
                for (int count : counts) {
                    Connection connection = subject.connect(servers.address(), USUAL_SESSION_MILLIS);
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
        return "/idle/" + subject.name().replace(' ', '-') + "-" + count;
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
                    "Idle: all packets of a connection that leads, with what is verified now and then",
                    servers,
                    leaders,
                    opened + TimeUnit.SECONDS.toNanos(VERIFIED_UNTIL_SECONDS)));
        }
        return results;
    }

    private static List<Result> rates(String what, Servers servers, List<Leader> leaders, long until)
            throws TimeoutException {
        Map<Long, Long> before = servers.receivedBySession();
        long start = System.nanoTime();
        if (until - start < TimeUnit.SECONDS.toNanos(FEWEST_SECONDS)) {
            throw new TimeoutException("All lead too late: there is no time left in which nothing happens");
        }
        Pauses.until(until);
        Map<Long, Long> after = servers.receivedBySession();
        double seconds = (System.nanoTime() - start) / 1e9;
        Map<Integer, Result> byCount = new TreeMap<>();
        for (Leader leader : leaders) {
            long packets = received(after, leader) - received(before, leader);
            byCount.computeIfAbsent(leader.elections(), count -> new Result(what, "packets/s", where(count)))
                    .add(leader.subject(), packets / seconds);
        }
        return List.copyOf(byCount.values());
    }

    private static long received(Map<Long, Long> bySession, Leader leader) {
        return Objects.requireNonNull(
                bySession.get(leader.connection().session()), () -> "No connection of " + leader.subject());
    }

    private static String where(int count) {
        return count == 1 ? "1 election" : count + " elections";
    }
}
