package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogRateLimiterTests {

    private final ManualConnection clock = new ManualConnection();
    private final LogRateLimiter limiter = new LogRateLimiter(clock);

    @Test
    void aMessageIsLoggedOnceAMinute() {
        assertThat(limiter.isDue("no connection")).isTrue();
        assertThat(limiter.isDue("no connection")).isFalse();

        clock.pass(60_000);
        assertThat(limiter.isDue("no connection")).isFalse();
        clock.pass(1);
        assertThat(limiter.isDue("no connection")).isTrue();
    }

    @Test
    void aDifferentMessageIsLoggedAtOnce() {
        limiter.isDue("no connection");

        assertThat(limiter.isDue("no permission")).isTrue();
    }

    @Test
    void aMessageIsLoggedAgainAfterTheProblemWasSolved() {
        limiter.isDue("no connection");

        limiter.forget();

        assertThat(limiter.isDue("no connection")).isTrue();
    }
}
