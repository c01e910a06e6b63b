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
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
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
        results.addAll(isLeader(run(List.of(IsLeader.class, TwoClocks.class), 3, servers, mode)));
        results.addAll(leaderOnly(run(List.of(LeaderOnlyCall.class), 8, servers, mode)));
        return results;
    }

    private static List<Result> isLeader(Collection<RunResult> measured) {
        String what = "isLeader() of the leader";
        var time = new Result(what, "", "ns");
        // In our column: nobody else looks at a clock.
        var clocks = new Result(what, "", "ns that reading the two clocks takes by itself");
        var bytes = new Result(what, "", "bytes allocated");
        for (RunResult result : measured) {
            double nanos = nanos(result);
            String subject = result.getParams().getParam("subject");
            if (subject == null) {
                clocks.add("ours", nanos);
            } else {
                time.add(subject, nanos);
                bytes.add(subject, allocated(result));
            }
        }
        return List.of(time, clocks, bytes);
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
        time.add("ours", nanos(guarded) - nanos(plain));
        var bytes =
                new Result("A call of a @LeaderOnly method of the leader, over the plain call", "", "bytes allocated");
        bytes.add("ours", allocated(guarded) - allocated(plain));
        return List.of(time, bytes);
    }

    /** @param warmUp half seconds; the compiler is busy for longer where a whole application has just started */
    private static Collection<RunResult> run(List<Class<?>> benchmarks, int warmUp, Servers servers, Mode mode)
            throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder();
        benchmarks.forEach(benchmark -> options.include(benchmark.getName()));
        return new Runner(options.jvmArgsAppend("-D" + IsLeader.ADDRESS + "=" + servers.address())
                        .forks(1)
                        .warmupIterations(warmUp)
                        .warmupTime(TimeValue.milliseconds(500))
                        .measurementIterations(mode.rounds() * 5)
                        .measurementTime(TimeValue.milliseconds(200))
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .run();
    }

    /** The median of the iterations, as everywhere here: a disturbance hits some of them. */
    private static double nanos(RunResult result) {
        return result.getPrimaryResult().getStatistics().getPercentile(50);
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
