package io.github.leaderelection.zookeeper.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Limits how often a message is logged: at once if it is a new one, then once a minute. */
public final class LogRateLimiter {

    private static final long SILENCE = Duration.ofMinutes(1).toNanos();

    private final Clock clock;
    private @Nullable String last;
    private long lastAt;

    public LogRateLimiter(Clock clock) {
        this.clock = clock;
    }

    /** Whether the caller should log the message now. */
    public boolean isDue(String message) {
        boolean due = !message.equals(last) || clock.nanos() - lastAt > SILENCE;
        if (due) {
            last = message;
            lastAt = clock.nanos();
        }
        return due;
    }

    /** The reason for the message is gone; if it recurs, it is logged at once. */
    public void forget() {
        last = null;
    }
}
