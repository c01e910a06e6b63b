package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.protocol.Protocol;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class HeartbeatTests {

    private final ManualConnection connection = new ManualConnection();
    private final Engine engine = EngineFixture.engine(new Protocol(), connection);

    private void refuseAll() {
        connection.answerAll(request -> Reply.of(Code.NOAUTH));
    }

    @Test
    void aRefusedHeartbeatIsTriedOnceASecondHoweverOftenTheConnectionIsLost() {
        engine.connected(77, 3_000);
        refuseAll();
        for (int i = 0; i < 5; i++) {
            engine.disconnected();
            engine.connected(77, 3_000);
            refuseAll();
        }
        connection.sent();

        for (int second = 0; second < 3; second++) {
            connection.pass(1_000);
            refuseAll();
            assertThat(connection.sent()).hasSize(1);
        }
    }

    @Test
    void anAcknowledgementShowsHowFarTheServersClockIsAhead() {
        engine.connected(77, 3_000);
        connection.answerAll(EngineFixture.FINE);
        engine.heartbeat.send();
        connection.pass(200);
        Stat stat = new Stat();
        stat.setMtime(connection.millis() + 5_000);

        connection.answerAll(request -> Reply.stat(stat));

        assertThat(engine.heartbeat.serverAhead()).isEqualTo(5_000);
    }
}
