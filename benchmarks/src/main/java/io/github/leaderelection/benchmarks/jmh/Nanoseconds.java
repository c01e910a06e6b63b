package io.github.leaderelection.benchmarks.jmh;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.scenario.Mode;
import io.github.leaderelection.benchmarks.scenario.Scenario;
import io.github.leaderelection.benchmarks.server.Servers;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs what JMH measures. The place for the cost of a guarded method call, too. */
public final class Nanoseconds implements Scenario {

    @Override
    public String name() {
        return "jmh";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws RunnerException {
        var time = new Result("isLeader() of the leader", "", "ns");
        var bytes = new Result("isLeader() of the leader", "", "bytes allocated");
        var options = new OptionsBuilder()
                .include(IsLeader.class.getName())
                .jvmArgsAppend("-D" + IsLeader.ADDRESS + "=" + servers.address())
                .forks(1)
                .warmupIterations(3)
                .warmupTime(TimeValue.milliseconds(500))
                .measurementIterations(mode.rounds() * 3)
                .measurementTime(TimeValue.milliseconds(500))
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        for (RunResult result : new Runner(options).run()) {
            String subject = result.getParams().getParam("subject");
            time.add(subject, result.getPrimaryResult().getScore());
            result.getSecondaryResults().forEach((name, secondary) -> {
                if (name.endsWith("gc.alloc.rate.norm")) {
                    // What the profiler itself allocates shows as a fraction of a byte.
                    bytes.add(subject, Math.floor(secondary.getScore()));
                }
            });
        }
        return List.of(time, bytes);
    }
}
