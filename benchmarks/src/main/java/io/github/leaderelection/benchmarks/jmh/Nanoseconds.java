package io.github.leaderelection.benchmarks.jmh;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.scenario.Mode;
import io.github.leaderelection.benchmarks.scenario.Scenario;
import io.github.leaderelection.benchmarks.server.Servers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs what JMH measures. */
public final class Nanoseconds implements Scenario {

    @Override
    public String name() {
        return "jmh";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws RunnerException {
        List<Result> results = new ArrayList<>();
        results.addAll(isLeader(run(IsLeader.class, servers, mode)));
        results.addAll(leaderOnly(run(LeaderOnlyCall.class, servers, mode)));
        return results;
    }

    private static List<Result> isLeader(Collection<RunResult> measured) {
        var time = new Result("isLeader() of the leader", "", "ns");
        var bytes = new Result("isLeader() of the leader", "", "bytes allocated");
        for (RunResult result : measured) {
            String subject = result.getParams().getParam("subject");
            time.add(subject, result.getPrimaryResult().getScore());
            bytes.add(subject, allocated(result));
        }
        return List.of(time, bytes);
    }

    private static List<Result> leaderOnly(Collection<RunResult> measured) {
        Map<String, RunResult> byName = new HashMap<>();
        measured.forEach(result -> byName.put(result.getPrimaryResult().getLabel(), result));
        RunResult guarded = byName.get("guarded");
        RunResult plain = byName.get("plain");
        if (guarded == null || plain == null) {
            throw new IllegalStateException("Not measured: " + byName.keySet());
        }
        var time = new Result("A call of a @LeaderOnly method of the leader, over the plain call", "", "ns");
        time.add(
                "ours",
                guarded.getPrimaryResult().getScore() - plain.getPrimaryResult().getScore());
        var bytes =
                new Result("A call of a @LeaderOnly method of the leader, over the plain call", "", "bytes allocated");
        bytes.add("ours", allocated(guarded) - allocated(plain));
        return List.of(time, bytes);
    }

    private static Collection<RunResult> run(Class<?> benchmark, Servers servers, Mode mode) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(benchmark.getName())
                        .jvmArgsAppend("-D" + IsLeader.ADDRESS + "=" + servers.address())
                        .forks(1)
                        .warmupIterations(3)
                        .warmupTime(TimeValue.milliseconds(500))
                        .measurementIterations(mode.rounds() * 3)
                        .measurementTime(TimeValue.milliseconds(500))
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .run();
    }

    /** What the profiler itself allocates shows as a fraction of a byte. */
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
