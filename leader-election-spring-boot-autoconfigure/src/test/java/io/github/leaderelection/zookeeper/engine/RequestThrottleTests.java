package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestThrottleTests {

    private final RequestThrottle throttle = new RequestThrottle(2);
    private final List<String> sent = new ArrayList<>();

    @Test
    void aTaskRunsAtOnceWhileThereIsRoom() {
        send("first");
        send("second");

        assertThat(sent).containsExactly("first", "second");
        assertThat(throttle.hasRoom()).isFalse();
    }

    @Test
    void othersWaitForRepliesInTheOrderInWhichTheyCame() {
        send("first");
        send("second");
        send("third");
        send("fourth");
        assertThat(sent).containsExactly("first", "second");

        throttle.answered();
        assertThat(sent).containsExactly("first", "second", "third");
        throttle.answered();
        assertThat(sent).containsExactly("first", "second", "third", "fourth");
    }

    @Test
    void aTaskThatSendsNothingMakesRoomForTheNext() {
        send("first");
        send("second");
        throttle.whenThereIsRoom(() -> sent.add("nothing to send"));
        send("third");

        throttle.answered();

        assertThat(sent).endsWith("nothing to send", "third");
    }

    @Test
    void nothingOutlivesTheSession() {
        send("first");
        send("second");
        send("third");

        throttle.expired();

        assertThat(throttle.hasRoom()).isTrue();
        send("fourth");
        assertThat(sent).containsExactly("first", "second", "fourth");
    }

    private void send(String request) {
        throttle.whenThereIsRoom(() -> {
            throttle.sent();
            sent.add(request);
        });
    }
}
