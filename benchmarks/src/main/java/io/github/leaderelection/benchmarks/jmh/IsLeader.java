package io.github.leaderelection.benchmarks.jmh;

import io.github.leaderelection.benchmarks.scenario.Scenario;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A call of {@code isLeader()} on the leader. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class IsLeader {

    /** System property with the address of the server. */
    static final String ADDRESS = "benchmark.address";

    @Param({"bare recipe", "LeaderLatch", "LeaderSelector", "LeaderInitiator", "ours"})
    public String subject = "";

    @SuppressWarnings("NullAway.Init")
    private Subject.Connection connection;

    @SuppressWarnings("NullAway.Init")
    private Subject.Candidate leader;

    @Setup
    public void lead() throws InterruptedException {
        var led = new CountDownLatch(1);
        Subject named = Subjects.named(subject);
        connection = named.connect(System.getProperty(ADDRESS), Scenario.LONG_SESSION_MILLIS);
        leader = connection.candidate("/jmh/" + Scenario.nodeName(named), led::countDown);
        leader.start();
        if (!led.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Does not lead");
        }
    }

    @Benchmark
    public boolean isLeader() {
        return leader.isLeader();
    }

    @TearDown
    public void leave() {
        leader.close();
        connection.close();
    }
}
