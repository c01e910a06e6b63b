package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class NodeLostTests {

    @TestFactory
    Stream<DynamicTest> theElectionGoesOn() {
        return table(
                row("R26 a leader that lost its node is revoked, and joins with a new candidacy (F69)")
                        .given(nodeLost(3))
                        .when(recordRead(held(ME, TOKEN)))
                        .then(joiningAs(NEW_CANDIDACY), "Revoked 3 NODE_LOST", JOIN, READ_ALL),
                row("a candidate that lost its node joins with a new candidacy")
                        .given(nodeLost(0))
                        .when(recordRead(held(BEFORE, 30)))
                        .then(joiningAs(NEW_CANDIDACY), JOIN, READ_ALL),
                row("an election node that is older than ours was has not ended")
                        .given(nodeLost(3))
                        .when(statRead(ELECTION, Reply.stat(createdAs(MY_CZXID - 1))))
                        .thenNothing(),
                row("a missing record does not end the election")
                        .given(nodeLost(3))
                        .when(recordRead(NO_NODE))
                        .then(joiningAs(NEW_CANDIDACY), "Revoked 3 NODE_LOST", JOIN, READ_ALL),
                row("an election that had ended before we joined has not ended again")
                        .given(nodeLost(3))
                        .when(recordRead(ended(60)))
                        .then(joiningAs(NEW_CANDIDACY), "Revoked 3 NODE_LOST", JOIN, READ_ALL));
    }

    /** An heir that took over has deleted the node because the lease was over. */
    @TestFactory
    Stream<DynamicTest> afterTheLease() {
        return table(
                row("R31 a leader whose node goes after its lease was over is revoked for that, as of its end (F76)")
                        .given(leading().provenAt(LONG_AGO))
                        .when(deleted(ME))
                        .then(
                                nodeLost(0).provenAt(LONG_AGO).awaiting(NEXT),
                                "Revoked 3 LEASE_EXPIRED 1000ms ago",
                                READ_ELECTION,
                                READ_RECORD)
                        .formerNode(ME),
                row("a leader that learns that without a connection was revoked for the loss of that")
                        .given(leading().provenAt(LONG_AGO))
                        .disconnected()
                        .when(deleted(ME))
                        .then(
                                nodeLost(0).provenAt(LONG_AGO).awaiting(NO_REQUEST),
                                "Revoked 3 CONNECTION_LOST 1000ms ago")
                        .formerNode(ME),
                row("R31 an acknowledgement that comes after the loss of the node does not count (F76)")
                        .given(nodeLost(0))
                        .when(acknowledged(NOW))
                        .thenNothing(),
                row("a candidate without a node has nothing to leave when its heartbeat is lost (F75)")
                        .given(nodeLost(3))
                        .when(rejoin())
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> theElectionHasEnded() {
        Draining draining = leaving(AfterLeaving.END).undrained(3).draining();
        return table(
                row("a leader whose election has ended is revoked, and drains")
                        .given(nodeLost(3))
                        .when(recordRead(ended(80)))
                        .then(draining, "Revoked 3 ENDED", "Ended", "Drain 3"),
                row("an election whose node is gone has ended")
                        .given(nodeLost(3))
                        .when(statRead(ELECTION, NO_NODE))
                        .then(draining, "Revoked 3 ENDED", "Ended", "Drain 3"),
                row("an election whose node is younger than ours was has ended, and was created again")
                        .given(nodeLost(1))
                        .when(statRead(ELECTION, Reply.stat(createdAs(MY_CZXID + 1))))
                        .then(leaving(AfterLeaving.END).undrained(1).draining(), "Revoked 1 ENDED", "Ended", "Drain 1"),
                row("R20 a candidate whose election has ended drains what an earlier term admitted")
                        .given(nodeLost(0))
                        .terms(3)
                        .when(recordRead(ended(80)))
                        .then(retiring(AfterLeaving.END, true), "Ended", "Drain 3"),
                row("a candidate that never led and whose election has ended is done")
                        .given(nodeLost(0))
                        .when(statRead(ELECTION, NO_NODE))
                        .then(closedAfterEnd(), "Ended", "Left confirmed"));
    }

    private static Stat createdAs(long czxid) {
        Stat stat = new Stat();
        stat.setCzxid(czxid);
        return stat;
    }

    @TestFactory
    Stream<DynamicTest> theConnection() {
        return table(
                row("a leader that is cut off before it learns why has most likely lost its session")
                        .given(nodeLost(3))
                        .when(disconnected())
                        .then(nodeLost(0).awaiting(NO_REQUEST), "Revoked 3 SESSION_EXPIRED"),
                row("a reconnected candidate asks again")
                        .given(nodeLost(0).awaiting(NO_REQUEST))
                        .when(connected())
                        .then(nodeLost(0).awaiting(NEXT), READ_ELECTION, READ_RECORD),
                row("a recheck asks again")
                        .given(nodeLost(3))
                        .when(recheck())
                        .then(nodeLost(3).awaiting(NEXT), READ_ELECTION, READ_RECORD),
                row("a lost reply says nothing about the record")
                        .given(nodeLost(3))
                        .when(replied(Purpose.RECORD, Code.CONNECTIONLOSS))
                        .thenNothing(),
                row("a leader whose session expires before it learns why is revoked for that reason")
                        .given(nodeLost(1))
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST), "Revoked 1 SESSION_EXPIRED"));
    }

    @TestFactory
    Stream<DynamicTest> leaves() {
        return table(
                row("R20 a leader that leaves before it learns why is revoked, and drains")
                        .given(nodeLost(3))
                        .terms(3)
                        .when(leave(AfterLeaving.CLOSE))
                        .then(retiring(AfterLeaving.CLOSE, true), "Revoked 3 RESIGNED", "Drain 3"),
                row("R20 a leader that leaves in its first term is revoked, and drains")
                        .given(nodeLost(1))
                        .terms(1)
                        .when(leave(AfterLeaving.CLOSE))
                        .then(new Retiring(AfterLeaving.CLOSE, true, 1), "Revoked 1 RESIGNED", "Drain 1"),
                row("a candidate that leaves without its node and never led has left")
                        .given(nodeLost(0))
                        .when(leave(AfterLeaving.CLOSE))
                        .then(closed(), "Left confirmed"));
    }
}
