package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.CLOSE;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.END;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.OBSERVE;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.REJOIN;
import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class RetiringTests {

    @TestFactory
    Stream<DynamicTest> drained() {
        return table(
                row("R20 a candidate has left once its work is done")
                        .given(retiring(CLOSE, false))
                        .when(Fixture.drained(3))
                        .then(closed(), "Left unconfirmed"),
                row("R20 the end of another term's work does not count")
                        .given(retiring(CLOSE, false))
                        .when(Fixture.drained(2))
                        .thenNothing(),
                row("a withdrawn candidate observes once its work is done")
                        .given(retiring(OBSERVE, true))
                        .when(Fixture.drained(3))
                        .then(new Observing(), "Left confirmed"),
                row("a candidate that was nominated meanwhile joins once its work is done")
                        .given(retiring(REJOIN, true))
                        .when(Fixture.drained(3))
                        .then(joiningAs(NEW_CANDIDACY), "Left confirmed", JOIN, READ_ALL),
                row("a candidate whose election has ended is done once its work is done")
                        .given(retiring(END, true))
                        .when(Fixture.drained(3))
                        .then(closedAfterEnd(), "Left confirmed"));
    }

    @TestFactory
    Stream<DynamicTest> meanwhile() {
        return table(
                row("the end of the session does not concern a candidate without a node")
                        .given(retiring(CLOSE, false))
                        .when(expired())
                        .thenNothing(),
                row("the loss of the connection does not concern a candidate without a node")
                        .given(retiring(CLOSE, false))
                        .when(disconnected())
                        .thenNothing(),
                row("a candidate that closes goes on with that")
                        .given(retiring(CLOSE, false))
                        .when(leave(OBSERVE))
                        .thenNothing(),
                row("a candidate that is nominated while it drains does not join before that")
                        .given(retiring(OBSERVE, true))
                        .when(nominate())
                        .then(retiring(REJOIN, true)),
                row("a candidate whose process deletes the election while it drains does not come back")
                        .given(retiring(OBSERVE, true))
                        .when(electionDeleted())
                        .then(retiring(END, true), "Ended"));
    }
}
