package io.github.leaderelection.zookeeper.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Keeps what is found again and again from being told each time: at once if it is news, then once a minute. */
public final class LogRateLimiter {

    private static final long SILENCE = Duration.ofMinutes(1).toNanos();

    private final Clock clock;
    private @Nullable String told;
    private long toldAt;

    public LogRateLimiter(Clock clock) {
        this.clock = clock;
    }

    /** Whether to tell it now; the caller does so then. */
    public boolean isDue(String message) {
        boolean due = !message.equals(told) || clock.nanos() - toldAt > SILENCE;
        if (due) {
            told = message;
            toldAt = clock.nanos();
        }
        return due;
    }

    /** It is over: should it come again, it is news. */
    public void forget() {
        told = null;
    }
}
