package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestThrottleTests {

    private final ManualConnection connection = new ManualConnection();
    private final List<String> ran = new ArrayList<>();

    private RequestThrottle throttle(long lease, int limit) {
        return new RequestThrottle(connection, connection, () -> lease, limit);
    }

    @Test
    void anErrandWaitsUntilTheConnectionHasBeenIdleForAMillisecond() {
        RequestThrottle throttle = throttle(3_000, 10);
        throttle.sent();
        throttle.sent();
        throttle.whenIdle(() -> ran.add("errand"));
        throttle.answered();
        connection.pass(10);
        assertThat(ran).isEmpty();

        throttle.answered();
        throttle.sent();
        connection.pass(1);
        assertThat(ran).as("idle for less than a millisecond").isEmpty();

        throttle.answered();
        assertThat(ran).isEmpty();
        connection.pass(1);
        assertThat(ran).containsExactly("errand");
    }

    @Test
    void anErrandWaitsNoLongerThanAThirdOfALeaseIfTheConnectionIsNeverIdle() {
        RequestThrottle throttle = throttle(900, 10);
        throttle.sent();
        throttle.whenIdle(() -> ran.add("errand"));

        connection.pass(299);
        assertThat(ran).isEmpty();
        connection.pass(1);
        assertThat(ran).containsExactly("errand");
    }

    @Test
    void errandsAreLimitedLikeOtherRequests() {
        RequestThrottle throttle = throttle(3_000, 2);
        for (int i = 1; i <= 5; i++) {
            String errand = "errand " + i;
            throttle.whenIdle(() -> {
                ran.add(errand);
                throttle.sent();
            });
        }
        connection.pass(1);
        assertThat(ran).containsExactly("errand 1", "errand 2");

        throttle.whenThereIsRoom(() -> {
            ran.add("newcomer");
            throttle.sent();
        });
        throttle.answered();
        assertThat(ran).as("a newcomer precedes further errands").endsWith("newcomer");

        connection.pass(1_000);
        assertThat(connection.timers())
                .as("waits for an answer, not for a time")
                .isZero();
        throttle.whenThereIsRoom(() -> ran.add("late newcomer"));
        throttle.answered();
        assertThat(ran).as("an overdue errand precedes newcomers").endsWith("errand 3");
    }
}
