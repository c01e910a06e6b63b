package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ClaimingTests {

    @TestFactory
    Stream<DynamicTest> theTransaction() {
        return table(
                row("R6 the claim compares the version of the record that was read")
                        .given(awaitingLeaseEnd(0).claim(new Claim(6, 51, OTHERS_LEASE)))
                        .when(woken())
                        .then(
                                claimingNow().claim(new Claim(6, 51, OTHERS_LEASE)),
                                "CLAIM Multi(Check c-me-0000000007, Set leader v6 HELD c-me-0000000007 51 3000,"
                                        + " Set beat v-1)"),
                row("R6 the claim of an election without a record creates it")
                        .given(awaitingLeaseEnd(0).claim(NO_RECORD))
                        .when(woken())
                        .then(
                                claimingNow().claim(NO_RECORD),
                                "CLAIM Multi(Check c-me-0000000007,"
                                        + " Create leader PERSISTENT HELD c-me-0000000007 0 3000, Set beat v-1)"),
                row("R7 the claim rewrites the heartbeat, so that its observers see it")
                        .given(awaitingLeaseEnd(0).listed(ME, AFTER))
                        .when(woken())
                        .then(
                                claimingNow().listed(ME, AFTER),
                                "CLAIM Multi(Check c-me-0000000007, Set leader v4 HELD c-me-0000000007 31 3000,"
                                        + " Set beat v-1)"),
                row("R8 the claim checks our own node")
                        .given(awaitingLeaseEnd(0).unarmed())
                        .when(woken())
                        .then(
                                claimingNow().unarmed(),
                                "CLAIM Multi(Check c-me-0000000007, Set leader v4 HELD c-me-0000000007 31 3000,"
                                        + " Set beat v-1)"));
    }

    @TestFactory
    Stream<DynamicTest> granted() {
        var late = claiming().sentAt(LONG_AGO);
        var named = named().provenAt(LONG_AGO).holding(VERSION + 1, TOKEN + 1).granted(LEASE);
        var leading = leadingNow().holding(VERSION + 1, TOKEN + 1).succession(NO_HEIR);
        return table(
                row("R1 the lease of a claim runs from the moment at which it was sent")
                        .given(claiming().sentAt(ago(700)))
                        .when(replied(Purpose.CLAIM, committed()))
                        .then(leading.provenAt(ago(700)), "Granted 1", "when there is room " + WATCH_QUEUE, HEARTBEAT),
                row("R1 a claim that is granted late needs a fresh proof before it leads")
                        .given(late)
                        .when(replied(Purpose.CLAIM, committed()))
                        .then(named, HEARTBEAT),
                row("R8 a claim leads before the own node's watch is set, since it has checked the node")
                        .given(claiming().unarmed())
                        .when(replied(Purpose.CLAIM, committed()))
                        .then(
                                leading.unarmed(),
                                "Granted 1",
                                "when there is room " + WATCH_OWN_NODE,
                                "when there is room " + WATCH_QUEUE),
                row("R3 a claim that is granted late sets a missing watch before it asks for a fresh proof (F70)")
                        .given(late.unarmed())
                        .when(replied(Purpose.CLAIM, committed()))
                        .then(named.unarmed(), WATCH_OWN_NODE, HEARTBEAT),
                row("R25 the token of a new election is the zxid of its claim (I7)")
                        .given(claiming().claim(NO_RECORD))
                        .when(replied(Purpose.CLAIM, committed()))
                        .then(
                                leadingNow().holding(0, 90).succession(NO_HEIR),
                                "Granted 1",
                                "when there is room " + WATCH_QUEUE),
                row("R36 a claim that rewrote a heartbeat which another client had created proves nothing (F75)")
                        .given(claiming())
                        .when(replied(Purpose.CLAIM, committed(HEARTBEAT_CZXID + 1)))
                        .then(
                                named().unarmed()
                                        .holding(VERSION + 1, TOKEN + 1)
                                        .granted(LEASE),
                                WATCH_OWN_NODE,
                                HEARTBEAT),
                row("R36 an earlier proof does not count either, until the next heartbeat is acknowledged (F75)")
                        .given(claiming().provenAt(ago(200)))
                        .when(replied(Purpose.CLAIM, committed(HEARTBEAT_CZXID + 1)))
                        .then(
                                named().unarmed()
                                        .provenAt(ago(200))
                                        .holding(VERSION + 1, TOKEN + 1)
                                        .granted(LEASE),
                                WATCH_OWN_NODE,
                                HEARTBEAT),
                row("a granted claim ends what was reported")
                        .given(claiming())
                        .error("Blocked")
                        .failures(2)
                        .when(replied(Purpose.CLAIM, committed()))
                        .then(leading, "Granted 1", "when there is room " + WATCH_QUEUE)
                        .recovered());
    }

    @TestFactory
    Stream<DynamicTest> refused() {
        return table(
                row("R6 a candidate looks again if another one wrote the record")
                        .given(claiming())
                        .when(replied(Purpose.CLAIM, Code.BADVERSION))
                        .then(evaluating().awaiting(NEXT), READ_ALL),
                row("R6 a candidate looks again if another one created the record")
                        .given(claiming().claim(NO_RECORD))
                        .when(replied(Purpose.CLAIM, Code.NODEEXISTS))
                        .then(evaluating().awaiting(NEXT), READ_ALL),
                row("a claim that fails for a missing node asks for a heartbeat, and looks again soon (F72)")
                        .given(claiming())
                        .when(replied(Purpose.CLAIM, Code.NONODE))
                        .then(evaluating(), HEARTBEAT, PAUSE),
                row("a pause after a failure that was not reported is short, and does not prolong the next one (F93)")
                        .given(claiming())
                        .failures(3)
                        .when(replied(Purpose.CLAIM, Code.NONODE))
                        .then(evaluating(), HEARTBEAT, PAUSE),
                row("a claim that is not permitted is reported, and tried again later (F57)")
                        .given(claiming())
                        .when(replied(Purpose.CLAIM, Code.NOAUTH))
                        .then(evaluating(), "Failed ElectionException", PAUSE)
                        .failures(1),
                row("a candidate whose claim's reply is lost waits for the connection (F66)")
                        .given(claiming())
                        .when(replied(Purpose.CLAIM, Code.CONNECTIONLOSS))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> meanwhile() {
        return table(
                row("a candidate whose node goes while it claims asks why")
                        .given(claiming())
                        .when(deleted(ME))
                        .then(nodeLost(0).awaiting(NEXT), READ_ELECTION, READ_RECORD),
                row("a candidate that loses its connection while it claims looks again when it is back (F66)")
                        .given(claiming())
                        .when(disconnected())
                        .then(detached()),
                row("a candidate whose session expires while it claims waits for a new one")
                        .given(claiming())
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST)),
                row("R19 a candidate that leaves while it claims never leads, and reads the record after it")
                        .given(claiming())
                        .when(leave(AfterLeaving.CLOSE))
                        .then(leaving(AfterLeaving.CLOSE).awaiting(NEXT).deleting(), DELETE_OWN_NODE, READ_RECORD));
    }
}
