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
                row("R3 a change of the own node uses up its watch, which is set again (F70)")
                        .given(following())
                        .when(changed(ME, EventType.NodeDataChanged))
                        .then(following().unarmed(), WATCH_OWN_NODE),
                row("R3 a watch that was removed is set again (F70)")
                        .given(following().behind(OTHER_UNREAD))
                        .when(changed(ME, EventType.DataWatchRemoved))
                        .then(following().unarmed().behind(OTHER_UNREAD), WATCH_OWN_NODE),
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
                        .when(ownNodeRead(candidate(SESSION + 1)))
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
}
