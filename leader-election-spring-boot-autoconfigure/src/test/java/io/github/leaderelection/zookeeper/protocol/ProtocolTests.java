package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.stream.Stream;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Which handler an event goes to, and which events are dropped. What the handlers do is tested state by state. */
class ProtocolTests {

    private static final Event LATE_REPLY_OF_OWN_NODE = new Event.Replied(
            new Command.Send(Purpose.OWN_NODE, REQUEST - 1, new Request.Get(path(ME), true)), candidate(SESSION));

    @TestFactory
    Stream<DynamicTest> repliesAndTimers() {
        return table(
                row("a reply to an earlier request is dropped")
                        .given(following())
                        .when(new Event.Replied(
                                new Command.Send(Purpose.PREDECESSOR, REQUEST - 1, new Request.Get(path(BEFORE), true)),
                                NO_NODE))
                        .thenNothing(),
                row("a timer of an earlier request is dropped")
                        .given(pending(REQUEST))
                        .when(new Event.Woken(REQUEST - 1))
                        .thenNothing(),
                row("a state that waits for no request is not woken")
                        .given(pending())
                        .when(new Event.Woken(NO_REQUEST))
                        .thenNothing(),
                row("the reply that sets the own node's watch counts whatever was sent since")
                        .given(following().unarmed())
                        .when(LATE_REPLY_OF_OWN_NODE)
                        .then(following().armed()),
                row("a reply about another node than the present own node is dropped")
                        .given(following().unarmed())
                        .when(replied(Purpose.OWN_NODE, new Request.Get(path(FIRST), true), NO_NODE))
                        .thenNothing(),
                row("while a lost create is looked for, the reply about the found node goes by its request")
                        .given(recovering(REQUEST, ME))
                        .when(LATE_REPLY_OF_OWN_NODE)
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> watches() {
        return table(
                row("an evaluation that verifies a follower's place handles its own node before its predecessor")
                        .given(evaluating().verifying(following()).listed(BEFORE, ME))
                        .when(deleted(ME))
                        .then(nodeLost(0).awaiting(NEXT), READ_ELECTION, READ_RECORD),
                row("an evaluation that verifies a follower's place still sees its predecessor go (F2)")
                        .given(evaluating().verifying(following()).listed(BEFORE, ME))
                        .when(deleted(BEFORE))
                        .then(evaluating().awaiting(NEXT), READ_ALL),
                row("any other evaluation has no predecessor to watch")
                        .given(evaluating().last(OTHER).listed(BEFORE, ME))
                        .when(deleted(BEFORE))
                        .thenNothing(),
                row("a change of the record concerns only a candidate that waits for a lease to end")
                        .given(following())
                        .when(changed(LeaderRecord.NODE, EventType.NodeDataChanged))
                        .thenNothing(),
                row("a change of the queue concerns only a leader")
                        .given(following())
                        .when(candidatesChanged())
                        .thenNothing(),
                row("a change of the queue uses up its watch in any state")
                        .given(following())
                        .queueWatched()
                        .when(candidatesChanged())
                        .thenNothing()
                        .queueWatched(false),
                row("a removed watch on the queue is no longer set")
                        .given(following())
                        .queueWatched()
                        .when(new Event.Changed(ELECTION, EventType.ChildWatchRemoved))
                        .thenNothing()
                        .queueWatched(false),
                row("another change of the election node says nothing about the queue")
                        .given(leading())
                        .queueWatched()
                        .when(new Event.Changed(ELECTION, EventType.NodeDataChanged))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> theConnection() {
        return table(
                row("a leader keeps its place when the connection is lost, unlike the other states with a node")
                        .given(leading())
                        .when(disconnected())
                        .thenNothing(),
                row("a leader's term ends with its session before it waits for another session")
                        .given(leading())
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST), "Revoked 3 SESSION_EXPIRED")
                        .formerNode(ME),
                row("draining goes on without a connection, unlike the other states of a candidate that leaves")
                        .given(leaving(AfterLeaving.REJOIN).undrained(3).draining())
                        .when(disconnected())
                        .thenNothing(),
                row("a wait for the end of a lease is not rechecked, since it ends by itself")
                        .given(awaitingLeaseEnd(1_000))
                        .when(recheck())
                        .thenNothing(),
                row("nothing is rechecked without a connection")
                        .given(following())
                        .disconnected()
                        .when(recheck())
                        .thenNothing(),
                row("only a leader steps down")
                        .given(following())
                        .when(new Event.Leave(RevocationReason.STEPPED_DOWN, AfterLeaving.REJOIN))
                        .thenNothing());
    }
}
