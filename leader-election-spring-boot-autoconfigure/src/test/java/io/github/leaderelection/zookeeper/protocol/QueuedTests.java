package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.client.Reply;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What all states with a node in the queue have in common, for the example of a follower. */
class QueuedTests {

    @TestFactory
    Stream<DynamicTest> theWatchOnTheOwnNode() {
        return table(
                row("the watch is set once the own node was read")
                        .given(following().unarmed())
                        .when(ownNodeRead(candidate(SESSION)))
                        .then(following().armed()),
                row("R3 a watch that was set on a connection which is lost by now does not count (F70)")
                        .given(following().unarmed())
                        .disconnected()
                        .when(ownNodeRead(candidate(SESSION)))
                        .thenNothing(),
                row("R35 a change of the own node uses up its watch, which is set again (F70)")
                        .given(evaluating())
                        .when(changed(ME, EventType.NodeDataChanged))
                        .then(evaluating().unarmed(), WATCH_OWN_NODE),
                row("R3 a watch that was removed is set again (F70)")
                        .given(named())
                        .when(changed(ME, EventType.DataWatchRemoved))
                        .then(named().unarmed(), WATCH_OWN_NODE),
                row("R35 the version of the own node's data is remembered when its watch is set")
                        .given(evaluating().unarmed())
                        .when(ownNodeRead(ownNodeInVersion(DATA_VERSION + 1)))
                        .then(evaluating().dataVersion(DATA_VERSION + 1)),
                row("an own node that cannot be watched is reported (F57)")
                        .given(following().unarmed())
                        .when(ownNodeRead(Reply.of(Code.NOAUTH)))
                        .then(following().unarmed(), "Failed ElectionException"),
                row("a lost reply says nothing about the own node")
                        .given(following().unarmed())
                        .when(ownNodeRead(Reply.of(Code.CONNECTIONLOSS)))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> theLossOfTheOwnNode() {
        return table(
                row("a candidate whose node goes asks why (F21)")
                        .given(following().behind(OTHER_UNREAD))
                        .when(deleted(ME))
                        .then(nodeLost(0).awaiting(NEXT), READ_ELECTION, READ_RECORD),
                row("a candidate whose node is missing when it is to be watched asks why")
                        .given(following().unarmed())
                        .when(ownNodeRead(NO_NODE))
                        .then(nodeLost(0).unarmed().awaiting(NEXT), READ_ELECTION, READ_RECORD),
                row("a node of another session is not our own (F4)")
                        .given(following().unarmed())
                        .when(ownNodeRead(candidate(OTHERS_SESSION)))
                        .then(nodeLost(0).unarmed().awaiting(NEXT), READ_ELECTION, READ_RECORD),
                row("a candidate whose process deletes the election learns of it from its node")
                        .given(following())
                        .when(electionDeleted())
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> theProof() {
        return table(
                row("R1 an acknowledged heartbeat proves the node at the moment at which it was sent")
                        .given(following().behind(OTHER_UNREAD))
                        .when(acknowledged(RECENTLY))
                        .then(following().provenAt(RECENTLY).behind(OTHER_UNREAD)),
                row("R3 an acknowledged heartbeat proves nothing while the own node's watch is not set (F70)")
                        .given(following().unarmed())
                        .when(acknowledged(RECENTLY))
                        .thenNothing());
    }

    /** The heartbeat was lost, or the session is about to be replaced. */
    @TestFactory
    Stream<DynamicTest> theCandidacyEnds() {
        Deleting deleting = leaving(AfterLeaving.REJOIN).awaiting(NEXT).deleting();
        return table(
                row("R36 a follower leaves, to join again with another heartbeat (F72)")
                        .given(following())
                        .when(rejoin())
                        .then(deleting, "CLEAN_UP RemoveWatches " + BEFORE, DELETE_OWN_NODE, READ_RECORD),
                row("R36 an heir leaves, to join again with another heartbeat (F72)")
                        .given(following().asHeir())
                        .when(rejoin())
                        .then(deleting, "CLEAN_UP RemoveWatches " + BEFORE, DELETE_OWN_NODE, READ_RECORD),
                row("R36 a candidate that evaluates leaves (F72)")
                        .given(evaluating())
                        .when(rejoin())
                        .then(deleting, DELETE_OWN_NODE, READ_RECORD),
                row("R36 a candidate that waits for a lease to end leaves (F72)")
                        .given(awaitingLeaseEnd(1_000))
                        .when(rejoin())
                        .then(deleting, "CLEAN_UP RemoveWatches leader", DELETE_OWN_NODE, READ_RECORD),
                row("R36 a candidate that claims leaves, and reads afterwards whether the record names it (F72)")
                        .given(claiming())
                        .when(rejoin())
                        .then(deleting, DELETE_OWN_NODE, READ_RECORD),
                row("R36 a named candidate leaves, and does not lead (F72)")
                        .given(named())
                        .when(rejoin())
                        .then(deleting, DELETE_OWN_NODE, READ_RECORD),
                row("R36 a candidate without a connection leaves when there is one (F72)")
                        .given(detached())
                        .disconnected()
                        .when(rejoin())
                        .then(leaving(AfterLeaving.REJOIN)
                                .unarmed()
                                .awaiting(NO_REQUEST)
                                .parked()),
                row("R20 R36 a candidate that has led drains before it leaves (F72)")
                        .given(following())
                        .terms(3)
                        .when(rejoin())
                        .then(
                                leaving(AfterLeaving.REJOIN).undrained(3).draining(),
                                "CLEAN_UP RemoveWatches " + BEFORE,
                                "Drain 3"));
    }
}
