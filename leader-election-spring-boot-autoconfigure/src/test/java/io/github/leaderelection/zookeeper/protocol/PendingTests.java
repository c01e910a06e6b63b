package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class PendingTests {

    @TestFactory
    Stream<DynamicTest> joins() {
        return table(
                row("a candidate that waits for a connection joins when there is one")
                        .given(pending())
                        .when(connected())
                        .then(joiningAs(NEW_CANDIDACY), JOIN, READ_ALL),
                row("a candidate joins when its pause is over")
                        .given(pending(REQUEST))
                        .when(woken())
                        .then(joiningAs(NEW_CANDIDACY), JOIN, READ_ALL),
                row("R40 a candidate whose listeners are busy with its last term does not join (F89)")
                        .given(pendingWithNodeLeftBehind(REQUEST))
                        .terms(3)
                        .unheard()
                        .when(woken())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST)),
                row("R40 it joins when they have returned (F89)")
                        .given(pending())
                        .terms(3)
                        .unheard()
                        .when(heard(3))
                        .then(joiningAs(NEW_CANDIDACY), JOIN, READ_ALL)
                        .heard(3),
                row("listeners that return do not end a pause")
                        .given(pending(REQUEST))
                        .terms(3)
                        .unheard()
                        .when(heard(3))
                        .then(pending(REQUEST))
                        .heard(3),
                row("a candidate that has to wait for room remembers that its node may still be there")
                        .given(pendingWithNodeLeftBehind(NO_REQUEST))
                        .withoutRoom()
                        .when(connected())
                        .then(pendingWithNodeLeftBehind(NEXT), "WakeWhenThereIsRoom"),
                row("a candidate whose pause ends without a connection waits for one")
                        .given(pendingWithNodeLeftBehind(REQUEST))
                        .disconnected()
                        .when(woken())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST)),
                row("a lost connection does not end a pause")
                        .given(pending(REQUEST))
                        .when(disconnected())
                        .thenNothing(),
                row("with the session goes the turn that was waited for")
                        .given(pendingWithNodeLeftBehind(REQUEST))
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST)));
    }

    @TestFactory
    Stream<DynamicTest> leaves() {
        return table(
                row("R20 a candidate that leaves after its session expired drains what its last term admitted")
                        .given(pendingWithNodeLeftBehind(NO_REQUEST))
                        .terms(3)
                        .when(leave(AfterLeaving.CLOSE))
                        .then(retiring(AfterLeaving.CLOSE, false), "Drain 3"),
                row("a candidate that leaves without ever having led has nothing to drain")
                        .given(pendingWithNodeLeftBehind(NO_REQUEST))
                        .when(leave(AfterLeaving.CLOSE))
                        .then(closed(), "Left unconfirmed"),
                row("a candidate that never had a node has certainly left")
                        .given(pending())
                        .when(leave(AfterLeaving.CLOSE))
                        .then(closed(), "Left confirmed"),
                row("R20 a candidate whose process deletes the election between two sessions drains")
                        .given(pending())
                        .terms(3)
                        .when(electionDeleted())
                        .then(retiring(AfterLeaving.END, true), "Ended", "Drain 3"));
    }
}
