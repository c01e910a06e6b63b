package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class DetachedTests {

    @TestFactory
    Stream<DynamicTest> reconnects() {
        return table(
                row("a reconnected candidate reads the queue and the record")
                        .given(detached())
                        .when(connected())
                        .then(evaluating().unarmed().awaiting(NEXT), READ_ALL),
                row("R3 a reconnected candidate sets the watch on its node anew (F70)")
                        .given(detached().armed().provenAt(LONG_AGO))
                        .when(connected())
                        .then(evaluating().unarmed().provenAt(LONG_AGO).awaiting(NEXT), READ_ALL),
                row("a candidate that is reconnected together with many others waits until there is room")
                        .given(detached())
                        .withoutRoom()
                        .when(connected())
                        .then(detached().awaiting(NEXT), "WakeWhenThereIsRoom"),
                row("a candidate reads when there is room")
                        .given(detached().awaiting(REQUEST))
                        .when(woken())
                        .then(evaluating().unarmed().awaiting(NEXT), READ_ALL),
                row("a candidate whose turn comes while it is disconnected again waits")
                        .given(detached().armed().awaiting(REQUEST))
                        .disconnected()
                        .when(woken())
                        .thenNothing(),
                row("a wait that was interrupted by the loss of the connection is remembered (F43)")
                        .given(detached().waited(awaitingLeaseEnd(1_000)))
                        .when(connected())
                        .then(evaluating().unarmed().awaiting(NEXT).waited(awaitingLeaseEnd(1_000)), READ_ALL));
    }

    @TestFactory
    Stream<DynamicTest> leaves() {
        return table(
                row("R20 a candidate that leaves after its first term drains what that admitted")
                        .given(detached())
                        .terms(1)
                        .disconnected()
                        .when(leave(AfterLeaving.CLOSE))
                        .then(leaving(AfterLeaving.CLOSE).unarmed().undrained(1).draining(), "Drain 1"),
                row("a candidate that leaves without a connection deletes its node when there is one (F29)")
                        .given(detached())
                        .disconnected()
                        .when(leave(AfterLeaving.CLOSE))
                        .then(leaving(AfterLeaving.CLOSE)
                                .unarmed()
                                .awaiting(NO_REQUEST)
                                .parked()));
    }
}
