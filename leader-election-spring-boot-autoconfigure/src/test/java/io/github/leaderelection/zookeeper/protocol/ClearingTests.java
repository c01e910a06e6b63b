package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.ElectionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ClearingTests {

    @TestFactory
    Stream<DynamicTest> clears() {
        return table(
                row("a candidate joins afresh once the ended election is cleared away (F67)")
                        .given(new Clearing())
                        .when(new Event.Cleared(null))
                        .then(joiningAs(NEW_CANDIDACY), JOIN, READ_ALL),
                row("a candidate that may not clear it away reports it, and tries again later")
                        .given(new Clearing())
                        .when(new Event.Cleared(new ElectionException("no")))
                        .then(pending(NEXT), "Failed ElectionException", PAUSE)
                        .failures(1));
    }

    @TestFactory
    Stream<DynamicTest> meanwhile() {
        return table(
                row("R20 a candidate that leaves drains what an earlier term admitted")
                        .given(new Clearing())
                        .terms(3)
                        .when(leave(AfterLeaving.CLOSE))
                        .then(retiring(AfterLeaving.CLOSE, true), "Drain 3"),
                row("a candidate whose process deletes the election is done")
                        .given(new Clearing())
                        .when(electionDeleted())
                        .then(closedAfterEnd(), "Ended", "Left confirmed"),
                row("clearing goes on when the connection is lost")
                        .given(new Clearing())
                        .when(disconnected())
                        .thenNothing(),
                row("a candidate whose session expires waits for a new one")
                        .given(new Clearing())
                        .when(expired())
                        .then(pending()));
    }
}
