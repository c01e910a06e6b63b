package io.github.leaderelection.zookeeper;

import java.time.Duration;
import java.util.Objects;

/** Validates durations among the options; the messages name the option. */
final class Durations {

    /** Clocks count nanoseconds in a long. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Durations() {}

    static Duration positive(String name, Duration value) {
        if (Objects.requireNonNull(value, name).compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(name + " must be at least 1 ms, but is " + value);
        }
        return notTooLong(name, value);
    }

    static Duration notNegative(String name, Duration value) {
        if (Objects.requireNonNull(value, name).isNegative()) {
            throw new IllegalArgumentException(name + " must not be negative, but is " + value);
        }
        return notTooLong(name, value);
    }

    private static Duration notTooLong(String name, Duration value) {
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "%s must be at most %d days, but is %s".formatted(name, LONGEST.toDays(), value));
        }
        return value;
    }
}
