package io.github.leaderelection.benchmarks.jmh;

import io.github.leaderelection.benchmarks.subject.Subject;
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

/** Asking the leader whether it leads. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class IsLeader {

    /** Where the server is. */
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
        connection = Subject.named(subject).connect(System.getProperty(ADDRESS), 30_000);
        leader = connection.candidate("/jmh/" + subject.replace(' ', '-'), led::countDown);
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
