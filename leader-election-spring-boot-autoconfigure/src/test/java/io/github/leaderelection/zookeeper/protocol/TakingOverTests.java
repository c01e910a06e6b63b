package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class TakingOverTests {

    private static final States.FollowingBuilder SILENT = following().asHeir();

    @TestFactory
    Stream<DynamicTest> theTransaction() {
        var takingOver = takingOver().awaiting(NEXT).sentAt(NOW);
        return table(
                row("R30 R31 R32 R33 the take-over checks and writes all of this in one transaction (F73, F76, F77, F78)")
                        .given(SILENT)
                        .heartbeatSeen(2_200)
                        .when(woken())
                        .then(
                                takingOver,
                                "TAKE_OVER Multi(Check other v8, Delete c-x-0000000003, Check c-me-0000000007,"
                                        + " Set leader v4 HELD c-me-0000000007 31 3000, Set beat v-1)"),
                row("R8 the take-over checks our own node, whether or not its watch is set (I2)")
                        .given(SILENT.unarmed())
                        .heartbeatSeen(9_000)
                        .when(woken())
                        .then(takingOver.unarmed(), TAKE_OVER),
                row("a candidate that takes over writes its own lease, which others wait for from now on")
                        .given(SILENT)
                        .lease(1_000)
                        .heartbeatSeen(9_000)
                        .when(woken())
                        .then(
                                new TakingOver(takingOver.ownNode(), NEXT, OTHER, INHERITANCE, NOW, 1_000),
                                "TAKE_OVER Multi(Check other v8, Delete c-x-0000000003, Check c-me-0000000007,"
                                        + " Set leader v4 HELD c-me-0000000007 31 1000, Set beat v-1)"));
    }

    @TestFactory
    Stream<DynamicTest> committed() {
        var leading = leadingNow().holding(VERSION + 1, TOKEN + 1).succession(Succession.UNKNOWN);
        var named = named().listed(CandidateQueue.NONE)
                .holding(VERSION + 1, TOKEN + 1)
                .granted(LEASE);
        return table(
                row("R1 R25 an heir that has taken over leads, from the moment at which the transaction was sent (I4, I7)")
                        .given(takingOver())
                        .when(replied(Purpose.TAKE_OVER, Fixture.committed()))
                        .then(leading, "TookOver", "Granted 1", "when there is room " + WATCH_QUEUE),
                row("a take-over leads before the own node's watch is set, since it has checked the node")
                        .given(takingOver().unarmed())
                        .when(replied(Purpose.TAKE_OVER, Fixture.committed()))
                        .then(
                                leading.unarmed(),
                                "TookOver",
                                "Granted 1",
                                "when there is room " + WATCH_OWN_NODE,
                                "when there is room " + WATCH_QUEUE),
                row("R1 a take-over that is answered late needs a fresh proof before it leads")
                        .given(takingOver().sentAt(LONG_AGO))
                        .when(replied(Purpose.TAKE_OVER, Fixture.committed()))
                        .then(named.provenAt(LONG_AGO), "TookOver", HEARTBEAT),
                row("R36 a take-over that rewrote a heartbeat which another client had created proves nothing (F75)")
                        .given(takingOver())
                        .when(replied(Purpose.TAKE_OVER, Fixture.committed(HEARTBEAT_CZXID + 1)))
                        .then(named.unarmed(), "TookOver", WATCH_OWN_NODE, HEARTBEAT),
                row("the watch on the holder's node fires before the reply, which is still waited for (F76)")
                        .given(takingOver())
                        .when(deleted(BEFORE))
                        .thenNothing(),
                row("an heir that has taken over ends what was reported")
                        .given(takingOver())
                        .error("Blocked")
                        .failures(2)
                        .when(replied(Purpose.TAKE_OVER, Fixture.committed()))
                        .then(leading, "TookOver", "Granted 1", "when there is room " + WATCH_QUEUE)
                        .recovered());
    }

    @TestFactory
    Stream<DynamicTest> failed() {
        var attempted =
                evaluating().awaiting(NEXT).verifying(following().asHeir().behind(OTHER.attempted(NOW.nanos())));
        return table(
                row("R30 R32 a holder that has beaten, or a record that has changed, voids the sighting (F73, F79)")
                        .given(takingOver())
                        .when(replied(Purpose.TAKE_OVER, Code.BADVERSION))
                        .then(attempted, "SightAgain other", "at leisure " + READ_ALL),
                row("R31 a holder whose node or heartbeat is gone voids the sighting (F79)")
                        .given(takingOver())
                        .when(replied(Purpose.TAKE_OVER, Code.NONODE))
                        .then(attempted, "SightAgain other", "at leisure " + READ_ALL),
                row("an heir that may not take over reports it, and waits for the end of the session instead (F82)")
                        .given(takingOver())
                        .when(replied(Purpose.TAKE_OVER, Code.NOAUTH))
                        .then(
                                following().asHeir().awaiting(NEXT).behind(OTHER_UNWATCHED.inviolable()),
                                "Failed ElectionException",
                                WATCH_PREDECESSOR,
                                HEARTBEAT),
                row("an heir whose take-over's reply is lost waits for the connection (F66)")
                        .given(takingOver())
                        .when(replied(Purpose.TAKE_OVER, Code.CONNECTIONLOSS))
                        .thenNothing(),
                row("an heir that loses its connection while it takes over looks again when it is back (F66)")
                        .given(takingOver())
                        .when(disconnected())
                        .then(detached()),
                row("a recheck finds out what became of a take-over that was never answered")
                        .given(takingOver())
                        .when(recheck())
                        .then(evaluating().awaiting(NEXT), READ_ALL));
    }

    @TestFactory
    Stream<DynamicTest> meanwhile() {
        return table(
                row("R35 a touch that comes while it takes over uses up the watch (F85)")
                        .given(takingOver())
                        .when(changed(ME, EventType.NodeDataChanged))
                        .then(takingOver().unarmed(), WATCH_OWN_NODE),
                row("R1 a heartbeat that is acknowledged while it takes over proves its node")
                        .given(takingOver())
                        .when(acknowledged(NOW))
                        .then(takingOver().provenAt(NOW)),
                row("an heir whose own node goes while it takes over asks why (F79)")
                        .given(takingOver())
                        .when(deleted(ME))
                        .then(nodeLost(0).awaiting(NEXT), READ_ELECTION, READ_RECORD),
                row("an heir whose session expires while it takes over waits for a new one (F79)")
                        .given(takingOver())
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST)),
                row("R19 an heir that leaves while it takes over never leads, and reads the record after it")
                        .given(takingOver())
                        .when(leave(AfterLeaving.CLOSE))
                        .then(leaving(AfterLeaving.CLOSE).awaiting(NEXT).deleting(), DELETE_OWN_NODE, READ_RECORD),
                row("R36 an heir whose heartbeat is lost while it takes over leaves (F75)")
                        .given(takingOver())
                        .when(rejoin())
                        .then(leaving(AfterLeaving.REJOIN).awaiting(NEXT).deleting(), DELETE_OWN_NODE, READ_RECORD),
                row("R29 a timer that was set before the take-over does nothing")
                        .given(takingOver())
                        .when(woken())
                        .thenNothing());
    }
}
