package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ClosedTests {

    @TestFactory
    Stream<DynamicTest> nothingHappensAnyMore() {
        return table(
                row("a closed election is not closed again")
                        .given(closed())
                        .when(leave(AfterLeaving.CLOSE))
                        .thenNothing(),
                row("a closed election does not come back with the connection")
                        .given(closed())
                        .when(connected())
                        .thenNothing(),
                row("a closed election does not care about the loss of the connection")
                        .given(closed())
                        .when(disconnected())
                        .thenNothing(),
                row("a closed election does not care about the end of the session")
                        .given(closed())
                        .when(expired())
                        .thenNothing(),
                row("a closed election cannot be nominated for")
                        .given(closed())
                        .when(nominate())
                        .thenNothing(),
                row("a closed election does not announce its end again")
                        .given(closedAfterEnd())
                        .when(electionDeleted())
                        .thenNothing());
    }
}
