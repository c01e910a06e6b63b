package io.github.leaderelection.benchmarks.jmh;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.scenario.Mode;
import io.github.leaderelection.benchmarks.scenario.Scenario;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the JMH benchmarks. */
public final class JmhBenchmarks implements Scenario {

    /** Treated as one more subject. */
    private static final String CLOCKS = "two clocks";

    @Override
    public String name() {
        return "jmh";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws RunnerException {
        List<Result> results = new ArrayList<>();
        results.addAll(isLeader(servers, mode));
        results.addAll(leaderOnly(servers, mode));
        return results;
    }

    /** In many processes that take turns: the speed of the clocks changes by nanoseconds from minute to minute. */
    private static List<Result> isLeader(Servers servers, Mode mode) throws RunnerException {
        String table = "isLeader() of the leader";
        var time = new Result(table, "", "ns");
        var bytes = new Result(table, "", "bytes allocated");
        List<String> subjects = new ArrayList<>(List.of(CLOCKS));
        Subjects.ALL.forEach(subject -> subjects.add(subject.name()));
        for (int round = 0; round < mode.manyRounds(); round++) {
            for (String subject : Scenario.shuffled(subjects)) {
                RunResult result = new Runner(isLeader(subject, servers)).runSingle();
                time.add(subject, median(result));
                bytes.add(subject, allocated(result));
            }
        }
        // In our column, because the other subjects do not read a clock.
        var clocks = new Result(table, "", "ns that reading the two clocks takes by itself");
        clocks.add("ours", time.of(CLOCKS).median());
        var fastest = new Result(table, "", "ns, in the fastest process");
        Subjects.ALL.forEach(
                subject -> fastest.add(subject.name(), time.of(subject.name()).min()));
        var fastestClocks = new Result(table, "", "ns of the two clocks, in the fastest process");
        fastestClocks.add("ours", time.of(CLOCKS).min());
        return List.of(time, clocks, fastest, fastestClocks, bytes);
    }

    private static Options isLeader(String subject, Servers servers) {
        // Many short iterations: the code is recompiled between the first ones.
        ChainedOptionsBuilder options = forked(servers)
                .warmupIterations(20)
                .warmupTime(TimeValue.milliseconds(50))
                .measurementIterations(10)
                .measurementTime(TimeValue.milliseconds(50));
        return subject.equals(CLOCKS)
                ? options.include(TwoClocks.class.getName()).build()
                : options.include(IsLeader.class.getName())
                        .param("subject", subject)
                        .build();
    }

    private static List<Result> leaderOnly(Servers servers, Mode mode) throws RunnerException {
        // Longer, because the compiler is still busy with the application that has just started.
        ChainedOptionsBuilder options = forked(servers)
                .include(LeaderOnlyCall.class.getName())
                .warmupIterations(8)
                .warmupTime(TimeValue.milliseconds(500))
                .measurementIterations(mode.rounds() * 5)
                .measurementTime(TimeValue.milliseconds(200));
        Map<String, RunResult> byName = new HashMap<>();
        new Runner(options.build())
                .run()
                .forEach(result -> byName.put(result.getPrimaryResult().getLabel(), result));
        RunResult guarded = byName.get("guarded");
        RunResult plain = byName.get("plain");
        if (guarded == null || plain == null) {
            throw new IllegalStateException("Not measured: " + byName.keySet());
        }
        String table = "A call of a @LeaderOnly method of the leader, over the plain call";
        var time = new Result(table, "", "ns");
        time.add("ours", median(guarded) - median(plain));
        var bytes = new Result(table, "", "bytes allocated");
        bytes.add("ours", allocated(guarded) - allocated(plain));
        return List.of(time, bytes);
    }

    private static ChainedOptionsBuilder forked(Servers servers) {
        return new OptionsBuilder()
                .jvmArgsAppend("-D" + IsLeader.ADDRESS + "=" + servers.address())
                .forks(1)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true);
    }

    /** Not the mean: a disturbance affects only some of the iterations. */
    private static double median(RunResult result) {
        return result.getPrimaryResult().getStatistics().getPercentile(50);
    }

    /** Rounded down, because the profiler itself allocates a fraction of a byte per call. */
    private static double allocated(RunResult result) {
        double[] bytes = {Double.NaN};
        result.getSecondaryResults().forEach((name, secondary) -> {
            if (name.endsWith("gc.alloc.rate.norm")) {
                bytes[0] = Math.floor(secondary.getScore());
            }
        });
        return bytes[0];
    }
}
