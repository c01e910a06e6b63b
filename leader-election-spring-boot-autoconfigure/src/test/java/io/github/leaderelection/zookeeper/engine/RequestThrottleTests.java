package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.protocol.Protocol;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestThrottleTests {

    private final ManualConnection connection = new ManualConnection();
    private final Engine engine = EngineFixture.engine(new Protocol(), connection);
    private final RequestThrottle throttle = new RequestThrottle(engine, 2);
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
    void candidatesComeBeforeTheWatchesOfLeaders() {
        send("first");
        send("second");
        watch("watch");
        send("third");

        throttle.answered();
        assertThat(sent).endsWith("third");
        throttle.answered();
        assertThat(sent).endsWith("third", "watch");
    }

    @Test
    void aWatchWaitsForCandidatesNoLongerThanBetweenTwoHeartbeats() {
        send("first");
        send("second");
        watch("watch");
        send("third");
        connection.pass(engine.heartbeatTimer.interval() + 1);

        throttle.answered();
        assertThat(sent).endsWith("second", "watch");
        throttle.answered();
        assertThat(sent).endsWith("watch", "third");
    }

    @Test
    void nothingOutlivesTheSession() {
        send("first");
        send("second");
        send("third");
        watch("watch");

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

    private void watch(String request) {
        throttle.afterCandidates(() -> {
            throttle.sent();
            sent.add(request);
        });
    }
}
