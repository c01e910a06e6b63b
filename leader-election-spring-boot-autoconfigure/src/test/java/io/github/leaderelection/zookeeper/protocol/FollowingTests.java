package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class FollowingTests {

    private static final Predecessor OTHER_WITHOUT_HEARTBEAT = new Predecessor(path(BEFORE), "", true);

    @TestFactory
    Stream<DynamicTest> thePredecessorGoes() {
        var following = following().behind(OTHER_UNREAD);
        var succeeding = evaluating().awaiting(NEXT).last(OTHER_UNREAD);
        return table(
                row("R27 a follower whose predecessor goes reads the queue, then the record, and sends a heartbeat (F2)")
                        .given(following)
                        .when(deleted(BEFORE))
                        .then(succeeding, "LIST Names orders + RECORD Get leader", HEARTBEAT),
                row("a follower whose node was proven a moment ago needs no heartbeat when its predecessor goes")
                        .given(following.provenAt(RECENTLY))
                        .when(deleted(BEFORE))
                        .then(succeeding.provenAt(RECENTLY), READ_ALL),
                row("a follower whose last proof is older than half of its lease sends a heartbeat")
                        .given(following.provenAt(ago(LEASE / 2)))
                        .when(deleted(BEFORE))
                        .then(succeeding.provenAt(ago(LEASE / 2)), READ_ALL, HEARTBEAT),
                row("a follower whose last proof is younger than half of its lease needs no heartbeat")
                        .given(following.provenAt(ago(LEASE / 2 - 1)))
                        .when(deleted(BEFORE))
                        .then(succeeding.provenAt(ago(LEASE / 2 - 1)), READ_ALL),
                row("R3 a follower sets a missing watch on its node before it sends the heartbeat (F70)")
                        .given(following.unarmed().provenAt(RECENTLY))
                        .when(deleted(BEFORE))
                        .then(succeeding.unarmed().provenAt(RECENTLY), WATCH_OWN_NODE, READ_ALL, HEARTBEAT),
                row("a follower does not care about other candidates")
                        .given(following)
                        .when(deleted(FIRST))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> thePredecessorIsRead() {
        var following = following().behind(OTHER_UNREAD);
        return table(
                row("a follower watches its predecessor once that was read, and knows its heartbeat")
                        .given(following)
                        .when(replied(Purpose.PREDECESSOR, candidate(SESSION + 1)))
                        .then(following().behind(OTHER)),
                row("a follower observes only a node beside its own heartbeat")
                        .given(following)
                        .when(replied(Purpose.PREDECESSOR, candidateWithHeartbeat("/elsewhere/other")))
                        .then(following().behind(OTHER_WITHOUT_HEARTBEAT)),
                row("a predecessor that is gone before it could be watched leads to another look at the queue (F42)")
                        .given(following)
                        .when(replied(Purpose.PREDECESSOR, Code.NONODE))
                        .then(evaluating().awaiting(NEXT), READ_ALL),
                row("a change of the predecessor's data sets the watch again")
                        .given(following)
                        .when(changed(BEFORE, EventType.NodeDataChanged))
                        .then(following.awaiting(NEXT), WATCH_PREDECESSOR),
                row("a predecessor that is no candidate is reported (F36)")
                        .given(following)
                        .when(replied(Purpose.PREDECESSOR, data(new byte[0], 1)))
                        .then(following().behind(OTHER_WITHOUT_HEARTBEAT), "Failed ElectionException"),
                row("a predecessor that has been first for long without leading is reported (F36)")
                        .given(following.idleSince(ago(2 * SESSION_TIMEOUT)))
                        .when(replied(Purpose.PREDECESSOR, candidate(SESSION + 1)))
                        .then(following().idleSince(ago(2 * SESSION_TIMEOUT)), "Failed ElectionException"),
                row("a predecessor that may still have to wait for something is not reported (F36)")
                        .given(following.idleSince(ago(2 * SESSION_TIMEOUT - 1)))
                        .when(replied(Purpose.PREDECESSOR, candidate(SESSION + 1)))
                        .then(following().idleSince(ago(2 * SESSION_TIMEOUT - 1))),
                row("a predecessor that can be watched ends what was reported")
                        .given(following)
                        .error("Cannot watch it")
                        .failures(2)
                        .when(replied(Purpose.PREDECESSOR, candidate(SESSION + 1)))
                        .then(following())
                        .recovered(),
                row("a predecessor that cannot be watched any more is reported, and read with each recheck (F57)")
                        .given(following().behind(OTHER_UNWATCHED))
                        .when(replied(Purpose.PREDECESSOR, Code.NOAUTH))
                        .then(following().behind(OTHER_UNWATCHED), "Failed ElectionException"),
                row("a lost reply says nothing about the predecessor")
                        .given(following)
                        .when(replied(Purpose.PREDECESSOR, Code.CONNECTIONLOSS))
                        .thenNothing());
    }

    private static Reply candidateWithHeartbeat(String heartbeat) {
        Stat stat = new Stat();
        stat.setEphemeralOwner(SESSION + 1);
        return Reply.data(new CandidateData("other", Map.of(), heartbeat).toJson(), stat);
    }

    @TestFactory
    Stream<DynamicTest> rechecks() {
        var unread = following().behind(OTHER_UNREAD);
        return table(
                row("R27 a follower whose watches are set verifies its place when it is convenient")
                        .given(following())
                        .when(recheck())
                        .then(
                                evaluating().awaiting(NEXT).verifying(following()),
                                "at leisure LIST Names orders + RECORD Get leader"),
                row("a follower whose predecessor may not be watched verifies at once, and sets its watches again")
                        .given(unread)
                        .when(recheck())
                        .then(evaluating().unarmed().awaiting(NEXT).verifying(unread), WATCH_OWN_NODE, READ_ALL),
                row("a follower whose predecessor does not lead verifies at once, and sets its watches again (F36)")
                        .given(following().idleSince(NOW))
                        .when(recheck())
                        .then(
                                evaluating()
                                        .unarmed()
                                        .awaiting(NEXT)
                                        .verifying(following().idleSince(NOW)),
                                WATCH_OWN_NODE,
                                READ_ALL));
    }

    @TestFactory
    Stream<DynamicTest> theConnection() {
        return table(
                row("R3 a follower that loses its connection knows nothing but its node, and does not trust its watch (F70)")
                        .given(following().behind(OTHER_UNREAD))
                        .when(disconnected())
                        .then(detached()),
                row("a follower whose session expires waits for a new one")
                        .given(following().behind(OTHER_UNREAD))
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST)));
    }

    @TestFactory
    Stream<DynamicTest> leaves() {
        return table(
                row("a follower that leaves deletes its node, and then reads whether it was named")
                        .given(following().behind(OTHER_UNREAD))
                        .when(leave(AfterLeaving.OBSERVE))
                        .then(
                                leaving(AfterLeaving.OBSERVE).awaiting(NEXT).deleting(),
                                "CLEAN_UP RemoveWatches " + BEFORE,
                                DELETE_OWN_NODE,
                                READ_RECORD),
                row("R20 a follower that leaves first drains what an earlier term admitted (I6)")
                        .given(following().behind(OTHER_UNREAD))
                        .terms(3)
                        .when(leave(AfterLeaving.OBSERVE))
                        .then(
                                leaving(AfterLeaving.OBSERVE).undrained(3).draining(),
                                "CLEAN_UP RemoveWatches " + BEFORE,
                                "Drain 3"));
    }
}
