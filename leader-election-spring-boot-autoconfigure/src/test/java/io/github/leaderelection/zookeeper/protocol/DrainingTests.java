package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.CLOSE;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.REJOIN;
import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.znode.Successor;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class DrainingTests {

    private static final Draining DRAINING = leaving(CLOSE).undrained(3).draining(HEIR);

    @TestFactory
    Stream<DynamicTest> drained() {
        return table(
                row("R17 a drained leader hands over to the next in line, and compares the record's version")
                        .given(DRAINING)
                        .when(Fixture.drained(3))
                        .then(
                                leaving(CLOSE).awaiting(NEXT).handingOver(),
                                "HAND_OVER Multi(Delete c-me-0000000007, Check c-y-0000000009,"
                                        + " Set leader v4 HELD c-y-0000000009 70 3000)"),
                row("R17 a drained leader without an heir releases the record, and compares its version")
                        .given(leaving(CLOSE).undrained(3).draining(NO_HEIR))
                        .when(Fixture.drained(3))
                        .then(
                                leaving(CLOSE).awaiting(NEXT).handingOverWithoutHeir(),
                                "HAND_OVER Multi(Delete c-me-0000000007, Set leader v4 RELEASED 70 3000)"),
                row("a drained leader that does not know its heir reads the queue first")
                        .given(leaving(CLOSE).undrained(3).draining(Successor.UNKNOWN))
                        .when(Fixture.drained(3))
                        .then(leaving(CLOSE).awaiting(NEXT).inspecting(), BARRIER, READ_ALL),
                row("a drained candidate that did not lead deletes its node")
                        .given(leaving(CLOSE).undrained(3).draining())
                        .when(Fixture.drained(3))
                        .then(leaving(CLOSE).awaiting(NEXT).deleting(), DELETE_OWN_NODE, READ_RECORD),
                row("a drained leader without a connection waits for one")
                        .given(DRAINING)
                        .disconnected()
                        .when(Fixture.drained(3))
                        .then(leaving(CLOSE).awaiting(NO_REQUEST).parked()),
                row("R20 the end of another term's work does not end the drain")
                        .given(DRAINING)
                        .when(Fixture.drained(2))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> meanwhile() {
        return table(
                row("R20 a recheck sends nothing before the term has drained (F31)")
                        .given(DRAINING)
                        .when(recheck())
                        .thenNothing(),
                row("R20 a reconnect sends nothing before the term has drained (F31)")
                        .given(DRAINING)
                        .when(connected())
                        .thenNothing(),
                row("R20 a loss of the connection does not end the drain (F32)")
                        .given(DRAINING)
                        .when(disconnected())
                        .thenNothing(),
                row("R19 an acknowledged heartbeat does not revive the term")
                        .given(DRAINING)
                        .when(acknowledged(NOW))
                        .thenNothing(),
                row("R20 a candidate whose session expires while it drains goes on draining")
                        .given(leaving(CLOSE).undrained(3).draining())
                        .when(expired())
                        .then(retiring(CLOSE, false)),
                row("a candidate whose session expires while it drains to join again does so, and the drain goes on")
                        .given(leaving(REJOIN).undrained(3).draining())
                        .disconnected()
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST), "Left unconfirmed"));
    }
}
