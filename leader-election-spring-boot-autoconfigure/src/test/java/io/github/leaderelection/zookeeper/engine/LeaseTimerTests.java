package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.protocol.CandidateNode;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.State;
import io.github.leaderelection.zookeeper.znode.Successor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseTimerTests {

    private final ManualConnection connection = new ManualConnection();
    private final List<HostedElection> lapsed = new ArrayList<>();
    private final HostedElection hosted = new HostedElection(leading(3_000), new RecordingCallbacks());
    private final LeaseTimer timer =
            new LeaseTimer(connection, connection, () -> 3_000, () -> List.of(hosted), () -> {}, lapsed::add);

    private ElectionState leading(long lease) {
        var ownNode = new CandidateNode("/elections/orders/c-abc-0000000001", 77, 1, 0, true, connection.now());
        var leading = new State.Leading(ownNode, 1, Successor.UNKNOWN, 0, lease, lease, 1, 0);
        return new ElectionState(EngineFixture.config("orders"), leading, 1, 1, null, false, 0, null);
    }

    @Test
    void aLeaseThatIsNotRenewedLapsesWhenItEnds() {
        timer.follow(hosted);

        connection.pass(2_999);
        assertThat(lapsed).isEmpty();
        connection.pass(2);
        assertThat(lapsed).containsExactly(hosted);
    }

    @Test
    void aLeaseThatHasBecomeShorterLapsesInTime() {
        timer.follow(hosted);

        hosted.election(leading(500));
        timer.follow(hosted);
        connection.pass(600);

        assertThat(lapsed).containsExactly(hosted);
    }
}
