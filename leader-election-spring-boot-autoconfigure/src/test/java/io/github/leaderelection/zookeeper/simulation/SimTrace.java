package io.github.leaderelection.zookeeper.simulation;

import java.io.PrintStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints a line for everything that happens, when a seed is replayed. */
final class SimTrace {

    private final @Nullable PrintStream out;
    private @Nullable SimScheduler scheduler;

    SimTrace(@Nullable PrintStream out) {
        this.out = out;
    }

    static SimTrace off() {
        return new SimTrace(null);
    }

    void begin(SimScheduler scheduler) {
        this.scheduler = scheduler;
    }

    boolean isOn() {
        return out != null;
    }

    void line(String who, String format, Object... arguments) {
        if (out != null && scheduler != null) {
            out.println(String.format(Locale.ROOT, "%10.3f %-7s ", scheduler.now() / 1e6, who)
                    + String.format(Locale.ROOT, format, arguments));
        }
    }
}
