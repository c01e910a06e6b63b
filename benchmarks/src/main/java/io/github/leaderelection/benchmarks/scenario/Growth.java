package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.server.Traffic;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Contender;
import io.github.leaderelection.benchmarks.subject.Subject.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** How the cost grows with the number of candidates of one election, and with that of elections on one connection. */
public final class Growth implements Scenario {

    private static final int SESSION_MILLIS = 10_000;
    private static final int HAND_OVERS = 20;

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        List<Result> results = new ArrayList<>();
        try (Witness witness = new Witness(servers.address())) {
            for (int candidates = 10; candidates <= mode.most(); candidates *= 10) {
                results.add(candidates(servers, witness, candidates));
            }
            for (int elections = 10; elections <= 10 * mode.most(); elections *= 10) {
                results.addAll(elections(servers, witness, elections));
            }
        }
        return results;
    }

    private static Result candidates(Servers servers, Witness witness, int count) throws Exception {
        var time = new Result("Growth: hand-over on step-down, 10 connections", "ms", count + " candidates");
        for (Subject subject : withoutThreadsOfTheirOwn()) {
            String path = "/growth/" + subject.name().replace(' ', '-') + "-" + count;
            try (Field field = new Field(subject, servers.address(), witness, path, 10, count)) {
                for (int i = -10; i < HAND_OVERS; i++) {
                    double millis = field.stepDown();
                    if (i >= 0) {
                        time.add(subject.name(), millis);
                    }
                }
            }
        }
        return time;
    }

    private static List<Result> elections(Servers servers, Witness witness, int count) throws Exception {
        var led = new Result("Growth: first leadership per election, one connection", "ms", count + " elections");
        var idle = new Result("Growth: renewals and pings, one connection", "packets/s", count + " elections");
        for (Subject subject : withoutThreadsOfTheirOwn()) {
            String root = "/growth/many-" + subject.name().replace(' ', '-') + "-" + count;
            for (int i = 0; i < count; i++) {
                witness.make(root + "/e" + i);
            }
            for (int run = 0; run < 2; run++) {
                try (Member member = subject.connect(servers.address(), SESSION_MILLIS)) {
                    double millis = leadAll(member, root, count);
                    // The first run is for the compiler, and leaves elections behind that were there before.
                    if (run == 1) {
                        led.add(subject.name(), millis / count);
                        idle.add(subject.name(), packetsPerSecond(servers));
                    }
                    member.leaveAll();
                    Pauses.untilQuiet(servers);
                }
            }
        }
        return List.of(led, idle);
    }

    private static double leadAll(Member member, String root, int count) throws Exception {
        var led = new CountDownLatch(count);
        List<Contender> contenders = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            contenders.add(member.contender(root + "/e" + i, led::countDown));
        }
        long start = System.nanoTime();
        contenders.forEach(Contender::start);
        if (!led.await(Witness.PATIENCE, TimeUnit.NANOSECONDS)) {
            throw new TimeoutException(led.getCount() + " elections without a leader");
        }
        return (System.nanoTime() - start) / 1e6;
    }

    private static double packetsPerSecond(Servers servers) throws TimeoutException {
        Pauses.untilQuiet(servers);
        long start = System.nanoTime();
        Traffic before = servers.traffic();
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(3));
        return servers.traffic().since(before).received() / ((System.nanoTime() - start) / 1e9);
    }

    /** A thread or two per election end long before ten thousand. */
    private static List<Subject> withoutThreadsOfTheirOwn() {
        return Scenario.shuffled(Subject.ALL).stream()
                .filter(subject -> !subject.name().equals("LeaderSelector")
                        && !subject.name().equals("LeaderInitiator"))
                .toList();
    }
}
