package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Contender;
import io.github.leaderelection.benchmarks.subject.Subject.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** From the start of the only candidate, on a connection that is there, until it leads. */
public final class FirstLeadership implements Scenario {

    /** Not yet as old as this, a root tells our elections nothing about what may have been there before. */
    private static final long OLD_MILLIS = 3_000;

    private static final int SESSION_MILLIS = 2_000;

    /** The connections of one subject, one to each server. */
    private record Entrant(String subject, List<Member> members) {

        static Entrant of(Subject subject, Servers servers) {
            List<Member> members = IntStream.range(0, servers.count())
                    .mapToObj(i -> subject.connect(servers.address(i), SESSION_MILLIS))
                    .toList();
            return new Entrant(subject.name(), members);
        }

        Member member(int round) {
            return members.get(round % members.size());
        }

        void close() {
            Member.closeAll(members);
        }
    }

    @Override
    public String name() {
        return "first";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        var existing = new Result("First leadership, path exists", "ms", servers.name());
        var absent = new Result("First leadership, new path under an old root", "ms", servers.name());
        List<Entrant> entrants = new ArrayList<>();
        try (Witness witness = new Witness(servers.address())) {
            for (Subject subject : Subject.ALL) {
                entrants.add(Entrant.of(subject, servers));
                witness.make("/first/" + subject.name().replace(' ', '-'));
                witness.make("/new/" + subject.name().replace(' ', '-'));
            }
            while (witness.age("/new/ours") < OLD_MILLIS) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
            for (int round = 0; round < mode.warmUp() + mode.repeats(); round++) {
                for (Entrant entrant : Scenario.shuffled(entrants)) {
                    Member member = entrant.member(round);
                    String name = entrant.subject().replace(' ', '-');
                    double atExisting = lead(member, "/first/" + name, witness);
                    double atNew = lead(member, "/new/" + name + "/" + round, witness);
                    if (round >= mode.warmUp()) {
                        existing.add(entrant.subject(), atExisting);
                        absent.add(entrant.subject(), atNew);
                    }
                }
            }
        } finally {
            entrants.forEach(Entrant::close);
        }
        return List.of(existing, absent);
    }

    private static double lead(Member member, String path, Witness witness) throws Exception {
        var led = new CompletableFuture<Long>();
        Contender contender = member.contender(path, () -> led.complete(System.nanoTime()));
        long start = System.nanoTime();
        contender.start();
        double millis = (led.get(Witness.PATIENCE, TimeUnit.NANOSECONDS) - start) / 1e6;
        contender.close();
        witness.awaitCandidates(path, 0);
        return millis;
    }
}
