package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.server.Traffic;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Contender;
import io.github.leaderelection.benchmarks.subject.Subject.Member;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Many elections on one connection, and a second candidate of each on another. */
public final class ManyElections implements Scenario {

    /** A usual one, so that pings and renewals are as usual. */
    private static final int SESSION_MILLIS = 10_000;

    @Override
    public String name() {
        return "many";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        Results results = new Results(mode.elections());
        try (Witness witness = new Witness(servers.address())) {
            // Once so that all elections were there before, and for the compilers.
            for (Subject subject : Scenario.shuffled(Subject.ALL)) {
                for (int i = 0; i < mode.elections(); i++) {
                    witness.make(path(subject, i));
                }
                measure(subject, servers, witness, new Results(mode.elections()));
            }
            for (int round = 0; round < mode.rounds(); round++) {
                for (Subject subject : Scenario.shuffled(Subject.ALL)) {
                    measure(subject, servers, witness, results);
                }
            }
        }
        return results.all();
    }

    private static String path(Subject subject, int election) {
        return "/many/" + subject.name().replace(' ', '-') + "/e" + election;
    }

    private static void measure(Subject subject, Servers servers, Witness witness, Results results) throws Exception {
        long heapBefore = heap();
        int threadsBefore = threads();
        String name = subject.name();
        Member first = subject.connect(servers.address(), SESSION_MILLIS);
        Member second = subject.connect(servers.address(), SESSION_MILLIS);
        try {
            var led = new CountDownLatch(results.elections);
            List<Contender> leaders = contenders(subject, first, results.elections, led);
            var takenOver = new CountDownLatch(results.elections);
            List<Contender> followers = contenders(subject, second, results.elections, takenOver);

            long start = System.nanoTime();
            leaders.forEach(Contender::start);
            results.led.add(name, await(led, start));
            Pauses.untilQuiet(servers);
            followers.forEach(Contender::start);
            Pauses.untilQuiet(servers);

            results.heap.add(name, (heap() - heapBefore) / 1e6);
            results.threads.add(name, threads() - threadsBefore);
            results.idle.add(name, packetsPerSecond(servers));
            Traffic before = servers.traffic();
            long leave = System.nanoTime();
            first.leaveAll();
            results.takenOver.add(name, await(takenOver, leave));
            Pauses.untilQuiet(servers);
            results.packets.add(name, (double) servers.traffic().since(before).received() / results.elections);
            second.leaveAll();
            witness.awaitCandidates(path(subject, 0), 0);
            Pauses.untilQuiet(servers);
        } finally {
            first.close();
            second.close();
        }
    }

    private static List<Contender> contenders(Subject subject, Member member, int count, CountDownLatch led) {
        List<Contender> contenders = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            contenders.add(member.contender(path(subject, i), led::countDown));
        }
        return contenders;
    }

    private static double await(CountDownLatch all, long start) throws InterruptedException, TimeoutException {
        if (!all.await(Witness.PATIENCE, TimeUnit.NANOSECONDS)) {
            throw new TimeoutException(all.getCount() + " elections without a leader");
        }
        return (System.nanoTime() - start) / 1e6;
    }

    private static double packetsPerSecond(Servers servers) {
        long start = System.nanoTime();
        Traffic before = servers.traffic();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2_500));
        return servers.traffic().since(before).received() / ((System.nanoTime() - start) / 1e9);
    }

    /** What is left after some collections: threads that end let go of things a little later. */
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
        final Result idle;

        Results(int elections) {
            this.elections = elections;
            String where = elections + " elections";
            led = new Result("Many elections on one connection: all led", "ms", where);
            takenOver = new Result("Many elections: all taken over by a second connection", "ms", where);
            heap = new Result("Many elections: heap of both connections", "MB", where);
            threads = new Result("Many elections: threads of both connections", "threads", where);
            packets = new Result("Many elections: packets received by the server per take-over", "packets", where);
            idle = new Result("Many elections: packets per second when nothing happens", "packets/s", where);
        }

        List<Result> all() {
            return List.of(led, takenOver, heap, threads, packets, idle);
        }
    }
}
