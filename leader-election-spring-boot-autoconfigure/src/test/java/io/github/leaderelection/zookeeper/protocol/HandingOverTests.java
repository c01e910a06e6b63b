package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.CLOSE;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.OBSERVE;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.PAUSE;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.REJOIN;
import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class HandingOverTests {

    @TestFactory
    Stream<DynamicTest> handedOver() {
        return table(
                row("a leader that has handed over is done")
                        .given(leaving(CLOSE).handingOver())
                        .when(replied(Purpose.HAND_OVER, Code.OK))
                        .then(closed(), "Left confirmed"),
                row("a leader that has stepped down gives its heir a head start before it joins again")
                        .given(leaving(REJOIN).handingOver())
                        .when(replied(Purpose.HAND_OVER, Code.OK))
                        .then(pending(NEXT), "Left confirmed", "Wake +5ms"),
                row("a leader that has stepped down without an heir joins again at once")
                        .given(leaving(REJOIN).handingOverWithoutHeir())
                        .when(replied(Purpose.HAND_OVER, Code.OK))
                        .then(joiningAs(NEW_CANDIDACY), "Left confirmed", JOIN, READ_ALL),
                row("a leader whose listener refused the term pauses before it joins again (F46)")
                        .given(leaving(PAUSE).handingOver())
                        .when(replied(Purpose.HAND_OVER, Code.OK))
                        .then(pending(NEXT), "Left confirmed", Fixture.PAUSE)
                        .failures(1),
                row("a leader that was withdrawn observes")
                        .given(leaving(OBSERVE).handingOver())
                        .error("Cannot leave")
                        .failures(1)
                        .when(replied(Purpose.HAND_OVER, Code.OK))
                        .then(new Observing(), "Left confirmed")
                        .recovered());
    }

    @TestFactory
    Stream<DynamicTest> refused() {
        return table(
                row("a leader whose heir is gone looks for the next one")
                        .given(leaving(CLOSE).handingOver())
                        .when(replied(Purpose.HAND_OVER, Code.NONODE))
                        .then(leaving(CLOSE).awaiting(NEXT).inspecting(), BARRIER, READ_ALL),
                row("R17 a leader whose record was overwritten looks again")
                        .given(leaving(CLOSE).handingOver())
                        .when(replied(Purpose.HAND_OVER, Code.BADVERSION))
                        .then(leaving(CLOSE).awaiting(NEXT).inspecting(), BARRIER, READ_ALL),
                row("a leader that may not write the record deletes its node, which would block all others (F57)")
                        .given(leaving(CLOSE).handingOver())
                        .when(replied(Purpose.HAND_OVER, Code.NOAUTH))
                        .then(leaving(CLOSE).awaiting(NEXT).deleting(), DELETE_OWN_NODE, READ_RECORD),
                row("a hand-over that is refused for another reason is reported, and tried again later")
                        .given(leaving(CLOSE).handingOver())
                        .when(replied(Purpose.HAND_OVER, Code.THROTTLEDOP))
                        .then(leaving(CLOSE).awaiting(NEXT).parked(), "Failed ElectionException", Fixture.PAUSE)
                        .failures(1));
    }

    @TestFactory
    Stream<DynamicTest> lost() {
        return table(
                row("R19 a leader whose hand-over's reply is lost never leads again, and looks when connected (F65)")
                        .given(leaving(CLOSE).handingOver())
                        .when(disconnected())
                        .then(leaving(CLOSE).awaiting(NO_REQUEST).parked()),
                row("R19 a lost reply alone changes nothing (F65)")
                        .given(leaving(CLOSE).handingOver())
                        .when(replied(Purpose.HAND_OVER, Code.CONNECTIONLOSS))
                        .thenNothing(),
                row("R19 an acknowledged heartbeat does not revive the term (F65)")
                        .given(leaving(CLOSE).handingOver())
                        .when(acknowledged(NOW))
                        .thenNothing(),
                row("a leader whose session expires while it hands over has left, which is not confirmed")
                        .given(leaving(CLOSE).handingOver())
                        .when(expired())
                        .then(closed(), "Left unconfirmed"));
    }
}
