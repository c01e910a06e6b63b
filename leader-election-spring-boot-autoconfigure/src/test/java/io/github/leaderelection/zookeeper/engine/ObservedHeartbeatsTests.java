package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Protocol;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class ObservedHeartbeatsTests {

    private static final String HEARTBEAT = "/elections/.beats/other";

    private final ManualConnection connection = new ManualConnection();
    private final ObservedHeartbeats observed = EngineFixture.engine(new Protocol(), connection).observedHeartbeats;

    private void answerAll() {
        connection.answerAll(request -> Reply.stat(new Stat()));
    }

    @Test
    void aHeartbeatIsWatchedAndReadWhenItIsFirstObserved() {
        observed.observe(HEARTBEAT);
        assertThat(observed.apply(HEARTBEAT)).as("before the answer").isNull();

        answerAll();

        assertThat(connection.sent()).contains(new Request.AddWatch(HEARTBEAT));
        assertThat(observed.apply(HEARTBEAT)).isNotNull();
    }

    @Test
    void whatWasSeenBeforeTheConnectionWasLostDoesNotCount() {
        observed.observe(HEARTBEAT);
        answerAll();

        observed.disconnected();

        assertThat(observed.apply(HEARTBEAT)).isNull();
    }

    @Test
    void aHeartbeatIsWatchedAgainOnTheNextSession() {
        observed.observe(HEARTBEAT);
        answerAll();

        observed.disconnected();
        observed.expired();
        observed.release(HEARTBEAT);
        connection.sent();
        observed.observe(HEARTBEAT);
        answerAll();

        assertThat(connection.sent()).contains(new Request.AddWatch(HEARTBEAT));
        assertThat(observed.apply(HEARTBEAT)).isNotNull();
    }
}
