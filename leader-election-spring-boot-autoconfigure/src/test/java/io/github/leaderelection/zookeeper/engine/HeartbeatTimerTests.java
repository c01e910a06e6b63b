package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.CandidateNode;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Holding;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.State;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import io.github.leaderelection.zookeeper.protocol.Succession;
import io.github.leaderelection.zookeeper.protocol.View;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On an engine whose elections lead. */
class HeartbeatTimerTests {

    private static final long LEASE = 3_000;

    private final ManualConnection connection = new ManualConnection();
    private final Engine engine = EngineFixture.engine(this::lead, connection);
    private final HostedElection hosted = engine.open(EngineFixture.config("orders"), new RecordingCallbacks());

    private StateMachine.Outcome lead(ElectionState election, Event event, View view) {
        State next = election.state();
        if (event instanceof Event.Nominate) {
            var ownNode = new CandidateNode("/elections/orders/c-abc-0000000001", 77, 1, 0, 0, true, view.now());
            next = new Leading(ownNode, 1, new Holding(0, 1, LEASE, "", false), Succession.UNKNOWN, LEASE, 1, 0);
        }
        return new StateMachine.Outcome(
                new ElectionState(election.config(), next, 1, 1, 0, null, false, 0, null), List.of());
    }

    private void renew() {
        hosted.handle(new Event.Nominate());
    }

    @Test
    void aConnectionThatLeadsSendsHeartbeatsSixTimesPerLease() {
        engine.connected(77, 9_000);
        connection.answerAll(EngineFixture.FINE);
        connection.sent();

        for (int beats = 1; beats <= 6; beats++) {
            renew();
            connection.pass(500);
            connection.answerAll(EngineFixture.FINE);
        }

        assertThat(connection.sent()).hasSize(6).allMatch(request -> request instanceof Request.Set);
    }

    @Test
    void aConnectionThatNeitherLeadsNorInheritsIsSilent() {
        engine.connected(77, 9_000);
        connection.answerAll(EngineFixture.FINE);
        connection.sent();

        connection.pass(9_000);

        assertThat(connection.sent()).isEmpty();
    }
}
