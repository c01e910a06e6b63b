package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.CLOSE;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.REJOIN;
import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.client.Request;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class DrainingTests {

    private static final Draining DRAINING = leaving(CLOSE).undrained(3).draining(leading());

    private static final Request TOUCH = new Request.Set(path(LAST), OTHERS_DATA, -1);

    /** The heir's own heir is known. */
    private static final Succession WITH_NEXT = new Succession(3, AFTER, AFTER, LAST, TOUCH, false, null);

    @TestFactory
    Stream<DynamicTest> drained() {
        return table(
                row("R17 a drained leader hands over to the next in line, and compares the record's version")
                        .given(DRAINING)
                        .when(Fixture.drained(3))
                        .then(
                                leaving(CLOSE).awaiting(NEXT).handingOver(),
                                "HAND_OVER Multi(Delete c-me-0000000007, Check c-y-0000000009,"
                                        + " Set leader v4 HELD c-y-0000000009 31 3000)"),
                row("R17 a drained leader without an heir releases the record, and compares its version")
                        .given(leaving(CLOSE).undrained(3).draining(leading().succession(NO_HEIR)))
                        .when(Fixture.drained(3))
                        .then(
                                leaving(CLOSE).awaiting(NEXT).handingOverWithoutHeir(),
                                "HAND_OVER Multi(Delete c-me-0000000007, Set leader v4 RELEASED 30 3000)"),
                row("a drained leader names the heir's own heir as well, and touches its node (F83)")
                        .given(leaving(CLOSE).undrained(3).draining(leading().succession(WITH_NEXT)))
                        .when(Fixture.drained(3))
                        .then(
                                leaving(CLOSE).awaiting(NEXT).handingOver(),
                                "HAND_OVER Multi(Delete c-me-0000000007, Check c-y-0000000009, Set c-z-0000000011 v-1,"
                                        + " Set leader v4 HELD c-y-0000000009 heir c-z-0000000011 31 3000)"),
                row("a drained leader that could not appoint an heir hands over without touching other nodes (F57)")
                        .given(leaving(CLOSE)
                                .undrained(3)
                                .draining(leading().appointed("").succession(WITH_NEXT)))
                        .when(Fixture.drained(3))
                        .then(leaving(CLOSE).awaiting(NEXT).handingOver(), HAND_OVER),
                row("a drained leader hands over to the heir in the record if the one that it wants is not appointed")
                        .given(leaving(CLOSE)
                                .undrained(3)
                                .draining(leading()
                                        .succession(new Succession(3, LAST, AFTER, AFTER, TOUCH, false, null))))
                        .when(Fixture.drained(3))
                        .then(leaving(CLOSE).awaiting(NEXT).handingOver(), HAND_OVER),
                row("R25 a drained leader names its heir with a greater token than its own (I7, F84)")
                        .given(leaving(CLOSE).undrained(3).draining(leading().holding(8, 80)))
                        .when(Fixture.drained(3))
                        .then(
                                leaving(CLOSE).awaiting(NEXT).handingOver(),
                                "HAND_OVER Multi(Delete c-me-0000000007, Check c-y-0000000009,"
                                        + " Set leader v8 HELD c-y-0000000009 81 3000)"),
                row("a leader that hands over writes the lease that it is configured with, not the one it led by")
                        .given(leaving(CLOSE).undrained(3).draining(leading().leases(OTHERS_LEASE, 1_500)))
                        .when(Fixture.drained(3))
                        .then(leaving(CLOSE).awaiting(NEXT).handingOver(), HAND_OVER),
                row("a drained leader that does not know its heir reads the queue first")
                        .given(leaving(CLOSE).undrained(3).draining(leading().succession(Succession.UNKNOWN)))
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
                row("R20 the loss of the heartbeat does not end the drain (F75, F92)")
                        .given(DRAINING)
                        .when(rejoin())
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
