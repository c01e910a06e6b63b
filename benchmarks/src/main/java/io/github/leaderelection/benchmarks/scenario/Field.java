package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Contender;
import io.github.leaderelection.benchmarks.subject.Subject.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The candidates of one election, all of one kind, on some connections of their own, which are spread over the servers. */
final class Field implements AutoCloseable {

    private record Led(int who, long nanos) {}

    private final String subject;
    private final Witness witness;
    private final String path;
    private final List<Member> members = new ArrayList<>();
    private final List<Contender> contenders = new ArrayList<>();
    private final BlockingQueue<Led> led = new LinkedBlockingQueue<>();
    private int leader;

    /** Returns once the first one leads and the others wait. */
    Field(Subject subject, Servers servers, Witness witness, String path, int connections, int candidates)
            throws Exception {
        this(subject, servers, witness, path, connections, candidates, Scenario.SESSION_MILLIS);
    }

    Field(
            Subject subject,
            Servers servers,
            Witness witness,
            String path,
            int connections,
            int candidates,
            int sessionMillis)
            throws Exception {
        this.subject = subject.name();
        this.witness = witness;
        this.path = witness.make(path);
        for (int i = 0; i < connections; i++) {
            members.add(subject.connect(servers.address(i), sessionMillis));
        }
        for (int i = 0; i < candidates; i++) {
            contenders.add(contender(i));
            contenders.get(i).start();
            if (i == 0) {
                leader = nextLed().who();
            }
            if (i == 0 || candidates <= 20 || i % 20 == 0 || i == candidates - 1) {
                witness.awaitCandidates(path, i + 1);
            }
        }
    }

    String subject() {
        return subject;
    }

    private Contender contender(int who) {
        return members.get(who % members.size()).contender(path, () -> led.add(new Led(who, System.nanoTime())));
    }

    private Led nextLed() throws InterruptedException, TimeoutException {
        Led next = led.poll(Witness.PATIENCE, TimeUnit.NANOSECONDS);
        if (next == null) {
            throw new TimeoutException("Nobody leads " + path);
        }
        return next;
    }

    /** Milliseconds from the moment at which the leader is told to step down until another one leads. */
    double stepDown() throws Exception {
        double millis = handOver(Contender::stepDown);
        witness.awaitCandidates(path, contenders.size());
        return millis;
    }

    /** The same, but the leader closes for good; another candidate takes its place at the end of the queue. */
    double closeLeader() throws Exception {
        int gone = leader;
        double millis = handOver(Contender::close);
        witness.awaitCandidates(path, contenders.size() - 1);
        contenders.set(gone, contender(gone));
        contenders.get(gone).start();
        witness.awaitCandidates(path, contenders.size());
        return millis;
    }

    private double handOver(Consumer<Contender> how) throws InterruptedException, TimeoutException {
        int from = leader;
        long start = System.nanoTime();
        how.accept(contenders.get(from));
        Led next = nextLed();
        if (next.who() == from || !led.isEmpty()) {
            throw new IllegalStateException("Not handed over from " + from + " to one other: " + next + ", " + led);
        }
        leader = next.who();
        return (next.nanos() - start) / 1e6;
    }

    @Override
    public void close() {
        Member.closeAll(members);
    }
}
