package io.github.leaderelection.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Reads the monotonic clock and the wall clock and compares each with a limit: the minimum for a check of both. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TwoClocks {

    /** Not reached during the measurement: then only one clock would be read. */
    private static final long HOURS = 24;

    // Not final, so that the compiler cannot treat them as constants.
    private long startNanos = System.nanoTime();
    private long startMillis = System.currentTimeMillis();
    private long limitMillis = TimeUnit.HOURS.toMillis(HOURS);

    @Benchmark
    public boolean read() {
        return System.nanoTime() - startNanos < limitMillis * 1_000_000
                && System.currentTimeMillis() - startMillis < limitMillis;
    }
}
