package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.protocol.CandidateNode;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Holding;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Observing;
import io.github.leaderelection.zookeeper.protocol.State;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import io.github.leaderelection.zookeeper.protocol.Succession;
import io.github.leaderelection.zookeeper.protocol.View;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On an engine whose elections wait or lead whenever they are nominated, for as long as the test wants. */
class ElectionTimerTests {

    private final ManualConnection connection = new ManualConnection();
    private final List<String> woken = new ArrayList<>();
    private final List<Long> lapsed = new ArrayList<>();
    private final Engine engine = EngineFixture.engine(this::await, connection);
    private final HostedElection orders = open("orders");
    private final HostedElection reports = open("reports");
    private long millis;
    private long requests;
    private long lease;

    private HostedElection open(String name) {
        return engine.open(EngineFixture.config(name), new RecordingCallbacks());
    }

    private StateMachine.Outcome await(ElectionState election, Event event, View view) {
        List<Command> commands = List.of();
        if (event instanceof Event.Lapsed over) {
            lapsed.add(over.term());
            return outcome(election, new Observing(), commands);
        } else if (event instanceof Event.Nominate && lease > 0) {
            var ownNode = new CandidateNode("/elections/orders/c-abc-0000000001", 77, 1, 0, 0, true, view.now());
            var holding = new Holding(0, 1, lease, "", false);
            return outcome(election, new Leading(ownNode, 1, holding, Succession.UNKNOWN, lease, 1, 0), commands);
        } else if (event instanceof Event.Nominate) {
            commands = List.of(new Command.WakeAt(++requests, view.now().nanos() + millis * 1_000_000));
        } else if (event instanceof Event.Woken && election.config().name().equals("failing")) {
            throw new AssertionError("provoked by a test");
        } else if (event instanceof Event.Woken wake) {
            woken.add(election.config().name() + " " + wake.requestId());
        }
        return outcome(election, election.state(), commands);
    }

    private static StateMachine.Outcome outcome(ElectionState election, State next, List<Command> commands) {
        return new StateMachine.Outcome(
                new ElectionState(election.config(), next, 1, 1, 0, null, false, 0, null), commands);
    }

    private void lead(long lease) {
        this.lease = lease;
        orders.handle(new Event.Nominate());
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

    @Test
    void aLeaseThatIsNotRenewedLapsesWhenItEnds() {
        lead(3_000);

        connection.pass(2_999);
        assertThat(lapsed).isEmpty();
        connection.pass(2);
        assertThat(lapsed).containsExactly(1L);
    }

    @Test
    void aRenewedLeaseDoesNotLapse() {
        lead(3_000);
        connection.pass(2_000);
        lead(3_000);
        connection.pass(1_500);

        assertThat(lapsed).isEmpty();
    }

    @Test
    void aLeaseThatHasBecomeShorterLapsesInTime() {
        lead(3_000);

        lead(500);
        connection.pass(600);

        assertThat(lapsed).containsExactly(1L);
    }

    @Test
    void anElectionThatFailsDoesNotKeepOthersFromBeingWoken() {
        var failing = engine.open(EngineFixture.config("failing"), new ElectionCallbacks() {
            @Override
            public void failed(ElectionException cause) {
                throw new IllegalStateException("provoked by a test");
            }
        });
        wakeAfter(100, failing);
        wakeAfter(200, orders);

        assertThatIllegalStateException().isThrownBy(() -> connection.pass(101));
        connection.pass(100);

        assertThat(woken).containsExactly("orders 2");
    }
}
