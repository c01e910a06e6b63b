package io.github.leaderelection.zookeeper;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Keeps what is found again and again from being told each time: at once if it is news, then once a minute. */
final class LogRateLimiter {

    private static final long SILENCE = Duration.ofMinutes(1).toNanos();

    private final Clock clock;
    private @Nullable String told;
    private long toldAt;

    LogRateLimiter(Clock clock) {
        this.clock = clock;
    }

    /** Whether to tell it now; the caller does so then. */
    boolean isDue(String message) {
        boolean due = !message.equals(told) || clock.nanos() - toldAt > SILENCE;
        if (due) {
            told = message;
            toldAt = clock.nanos();
        }
        return due;
    }

    /** It is over: should it come again, it is news. */
    void forget() {
        told = null;
    }
}
