package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import io.github.leaderelection.zookeeper.protocol.View;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On an engine whose elections wait whenever they are nominated, for as long as the test wants. */
class WakeTimerTests {

    private final ManualConnection connection = new ManualConnection();
    private final List<String> woken = new ArrayList<>();
    private final Engine engine = EngineFixture.engine(this::await, connection);
    private final HostedElection orders = open("orders");
    private final HostedElection reports = open("reports");
    private long millis;
    private long requests;

    private HostedElection open(String name) {
        return engine.open(EngineFixture.config(name), new RecordingCallbacks());
    }

    private StateMachine.Outcome await(ElectionState election, Event event, View view) {
        List<Command> commands = List.of();
        if (event instanceof Event.Nominate) {
            commands = List.of(new Command.WakeAt(++requests, view.now().nanos() + millis * 1_000_000));
        } else if (event instanceof Event.Woken wake) {
            woken.add(election.config().name() + " " + wake.requestId());
        }
        return new StateMachine.Outcome(election, commands);
    }

    private void wakeAfter(long millis, HostedElection hosted) {
        this.millis = millis;
        hosted.handle(new Event.Nominate());
    }

    @Test
    void eachElectionIsWokenWhenItsTimeHasCome() {
        wakeAfter(300, orders);
        wakeAfter(100, reports);

        connection.pass(99);
        assertThat(woken).isEmpty();
        connection.pass(2);
        assertThat(woken).containsExactly("reports 2");
        connection.pass(198);
        assertThat(woken).hasSize(1);
        connection.pass(2);
        assertThat(woken).containsExactly("reports 2", "orders 1");
        connection.pass(10_000);
        assertThat(woken).hasSize(2);
    }

    @Test
    void theLastTimeCounts() {
        wakeAfter(100, orders);
        wakeAfter(300, orders);

        connection.pass(299);
        assertThat(woken).isEmpty();
        connection.pass(2);
        assertThat(woken).containsExactly("orders 2");
    }

    @Test
    void anElectionThatIsForgottenIsNotWoken() {
        wakeAfter(100, orders);
        wakeAfter(100, reports);
        engine.forget(orders);

        connection.pass(101);

        assertThat(woken).containsExactly("reports 2");
    }
}
