package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ObservingTests {

    @TestFactory
    Stream<DynamicTest> nominated() {
        return table(
                row("a nominated observer creates its node and reads the queue and the record in one round trip")
                        .given(new Observing())
                        .when(nominate())
                        .then(joiningAs(NEW_CANDIDACY), JOIN, READ_ALL),
                row("an observer nominated without a connection waits for one")
                        .given(new Observing())
                        .disconnected()
                        .when(nominate())
                        .then(pending()),
                row("an observer nominated together with many others waits until there is room")
                        .given(new Observing())
                        .withoutRoom()
                        .when(nominate())
                        .then(pending(NEXT), "WakeWhenThereIsRoom"));
    }

    @TestFactory
    Stream<DynamicTest> theEnd() {
        return table(
                row("an observer closes at once, since its last term has drained")
                        .given(new Observing())
                        .terms(3)
                        .when(leave(AfterLeaving.CLOSE))
                        .then(closed(), "Left confirmed"),
                row("an observer whose process deletes the election is done")
                        .given(new Observing())
                        .when(electionDeleted())
                        .then(closedAfterEnd(), "Ended", "Left confirmed"),
                row("an observer does not depend on the connection")
                        .given(new Observing())
                        .when(disconnected())
                        .thenNothing(),
                row("an observer does not depend on the session")
                        .given(new Observing())
                        .when(expired())
                        .thenNothing());
    }
}
