package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class RecoveringTests {

    private static final String LIST = "LIST Children orders";

    @TestFactory
    Stream<DynamicTest> looks() {
        return table(
                row("R21 a reconnected candidate writes by quorum before it looks for its create (F28)")
                        .given(recovering(NO_REQUEST))
                        .when(connected())
                        .then(recovering(NEXT), BARRIER, LIST),
                row("R21 a recheck looks again")
                        .given(recovering(REQUEST, ME))
                        .when(recheck())
                        .then(recovering(NEXT), BARRIER, LIST),
                row("R21 a candidate looks again after a pause")
                        .given(recovering(REQUEST))
                        .when(woken())
                        .then(recovering(NEXT), BARRIER, LIST),
                row("a queue that cannot be read is reported, and read again later")
                        .given(recovering(REQUEST))
                        .when(replied(Purpose.LIST, Code.NOAUTH))
                        .then(recovering(REQUEST), "Failed ElectionException", PAUSE)
                        .failures(1),
                row("the reply to the write says nothing about the found node")
                        .given(recovering(REQUEST, ME))
                        .when(replied(Purpose.BARRIER, Code.OK))
                        .thenNothing(),
                row("a lost reply is waited for until the connection is back")
                        .given(recovering(REQUEST))
                        .when(replied(Purpose.LIST, Code.CONNECTIONLOSS))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> finds() {
        return table(
                row("a candidate that finds no node of its own creates one with the same GUID")
                        .given(recovering(REQUEST))
                        .when(listed(BEFORE))
                        .then(joiningAs(CANDIDACY), JOIN_AGAIN, READ_ALL),
                row("a candidate that finds no election node creates its own again (F37)")
                        .given(recovering(REQUEST))
                        .when(replied(Purpose.LIST, Code.NONODE))
                        .then(joiningAs(CANDIDACY), JOIN_AGAIN, READ_ALL),
                row("a candidate that finds a node of its own verifies its owner")
                        .given(recovering(REQUEST))
                        .when(listed(BEFORE, ME))
                        .then(recovering(REQUEST, ME), WATCH_OWN_NODE),
                row("a candidate that finds several keeps the lowest and deletes the others")
                        .given(recovering(REQUEST))
                        .when(listed(ME, YOUNGER_TWIN))
                        .then(recovering(REQUEST, ME), "CLEAN_UP Delete " + YOUNGER_TWIN, WATCH_OWN_NODE));
    }

    @TestFactory
    Stream<DynamicTest> verifiesTheOwner() {
        return table(
                row("a candidate adopts a node of its own session")
                        .given(recovering(REQUEST, ME))
                        .when(ownNodeRead(candidate(SESSION)))
                        .then(evaluating().awaiting(NEXT), READ_ALL),
                row("a node of another session is not adopted; a new candidacy joins (F6)")
                        .given(recovering(REQUEST, ME))
                        .when(ownNodeRead(candidate(OTHERS_SESSION)))
                        .then(joiningAs(NEW_CANDIDACY), JOIN, READ_ALL),
                row("a new candidacy joins if the found node is gone")
                        .given(recovering(REQUEST, ME))
                        .when(ownNodeRead(NO_NODE))
                        .then(joiningAs(NEW_CANDIDACY), JOIN, READ_ALL),
                row("a found node that cannot be read is reported, and read again later (F57)")
                        .given(recovering(REQUEST, ME))
                        .when(ownNodeRead(Reply.of(Code.NOAUTH)))
                        .then(recovering(REQUEST, ME), "Failed ElectionException", PAUSE)
                        .failures(1));
    }

    @TestFactory
    Stream<DynamicTest> theEnd() {
        return table(
                row("a candidate that is cut off while it looks begins again when it is connected")
                        .given(recovering(REQUEST, ME))
                        .when(disconnected())
                        .then(recovering(NO_REQUEST)),
                row("a candidate whose session expires while it looks waits for a new one")
                        .given(recovering(REQUEST))
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST)),
                row("R21 a candidate that leaves while it looks goes on looking, to delete what it finds")
                        .given(recovering(REQUEST))
                        .when(leave(AfterLeaving.CLOSE))
                        .then(
                                leaving(AfterLeaving.CLOSE)
                                        .withoutNode()
                                        .awaiting(NEXT)
                                        .inspecting(),
                                BARRIER,
                                READ_ALL),
                row("R36 a candidate whose heartbeat is lost while it looks goes on looking, and joins again (F75)")
                        .given(recovering(REQUEST))
                        .when(rejoin())
                        .then(
                                leaving(AfterLeaving.REJOIN)
                                        .withoutNode()
                                        .awaiting(NEXT)
                                        .inspecting(),
                                BARRIER,
                                READ_ALL),
                row("a candidate whose process deletes the election removes the node it may have created")
                        .given(recovering(REQUEST))
                        .when(electionDeleted())
                        .then(
                                leaving(AfterLeaving.END)
                                        .withoutNode()
                                        .awaiting(NEXT)
                                        .inspecting(),
                                "Ended",
                                BARRIER,
                                READ_ALL));
    }
}
