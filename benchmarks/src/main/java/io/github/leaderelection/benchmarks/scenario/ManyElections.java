package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.server.Traffic;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Connection;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Many elections on one connection, with a second candidate of each on another connection. */
public final class ManyElections implements Scenario {

    @Override
    public String name() {
        return "many";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        Results results = new Results(mode.elections());
        try (AdminClient admin = new AdminClient(servers.address())) {
            for (Subject subject : Scenario.shuffled(Subjects.ALL)) {
                Elections.createPaths(admin, root(subject), mode.elections());
                warmUp(subject, servers, mode.elections());
            }
            for (int round = 0; round < mode.manyRounds(); round++) {
                for (Subject subject : Scenario.shuffled(Subjects.ALL)) {
                    measure(subject, servers, admin, results);
                }
            }
        }
        return results.all();
    }

    private static String root(Subject subject) {
        return "/many/" + Scenario.nodeName(subject);
    }

    /** Warms up the JVMs, and leaves elections behind that have had a leader. */
    private static void warmUp(Subject subject, Servers servers, int elections) throws Exception {
        try (Connection first = subject.connect(servers.address(), TYPICAL_SESSION_MILLIS);
                Connection second = subject.connect(servers.address(), TYPICAL_SESSION_MILLIS)) {
            new Elections(first, root(subject), elections).lead();
            var followers = new Elections(second, root(subject), elections);
            followers.start();
            Pauses.untilQuiet(servers);
            long leave = System.nanoTime();
            first.leaveAll();
            followers.awaitLed(leave);
            second.leaveAll();
            Pauses.untilQuiet(servers);
        }
    }

    private static void measure(Subject subject, Servers servers, AdminClient admin, Results results) throws Exception {
        long heapBefore = heap();
        int threadsBefore = threads();
        String name = subject.name();
        Connection first = subject.connect(servers.address(), TYPICAL_SESSION_MILLIS);
        Connection second = subject.connect(servers.address(), TYPICAL_SESSION_MILLIS);
        try {
            var leaders = new Elections(first, root(subject), results.elections);
            var followers = new Elections(second, root(subject), results.elections);

            results.led.add(name, leaders.lead());
            Pauses.untilQuiet(servers);
            followers.start();
            Pauses.untilQuiet(servers);

            results.heap.add(name, (heap() - heapBefore) / 1e6);
            results.threads.add(name, threads() - threadsBefore);
            // Half a lease: as in practice, a follower of ours has been silent and has to prove its session before it
            // leads.
            Pauses.millis(TYPICAL_SESSION_MILLIS / 6);
            Traffic before = servers.traffic();
            long leave = System.nanoTime();
            first.leaveAll();
            results.takenOver.add(name, followers.awaitLed(leave));
            Pauses.untilQuiet(servers);
            results.packets.add(name, (double) servers.traffic().since(before).received() / results.elections);
            second.leaveAll();
            admin.awaitCandidates(Elections.path(root(subject), 0), 0);
            Pauses.untilQuiet(servers);
        } finally {
            Connection.closeAll(List.of(first, second));
        }
    }

    /** The minimum after several collections, because ending threads release memory a little later. */
    private static long heap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            least = Math.min(least, used);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        return least;
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private static final class Results {
        final int elections;
        final Result led;
        final Result takenOver;
        final Result heap;
        final Result threads;
        final Result packets;

        Results(int elections) {
            this.elections = elections;
            String row = elections + " elections";
            led = new Result("Many elections on one connection: all led", "ms", row);
            takenOver = new Result("Many elections: all taken over by a second connection", "ms", row);
            heap = new Result("Many elections: heap of both connections", "MB", row);
            threads = new Result("Many elections: threads of both connections", "threads", row);
            packets = new Result("Many elections: packets received by the server per take-over", "packets", row);
        }

        List<Result> all() {
            return List.of(led, takenOver, heap, threads, packets);
        }
    }
}
