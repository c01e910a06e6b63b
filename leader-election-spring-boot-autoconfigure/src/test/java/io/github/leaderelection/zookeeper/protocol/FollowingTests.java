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

    private static final Predecessor OTHER_WITHOUT_HEARTBEAT =
            new Predecessor(path(BEFORE), "", true, OTHERS_SESSION, false, null);

    @TestFactory
    Stream<DynamicTest> thePredecessorGoes() {
        var following = following().behind(OTHER_UNREAD);
        return table(
                row("R27 a follower whose predecessor goes reads the queue, then the record (F2)")
                        .given(following)
                        .when(deleted(BEFORE))
                        .then(evaluating().awaiting(NEXT), "LIST Children orders + RECORD Get leader"),
                row("R3 a follower whose predecessor goes sets a missing watch on its node (F70)")
                        .given(following.unarmed())
                        .when(deleted(BEFORE))
                        .then(evaluating().unarmed().awaiting(NEXT), WATCH_OWN_NODE, READ_ALL),
                row("a follower does not care about other candidates")
                        .given(following)
                        .when(deleted(FIRST))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> theHolderGoes() {
        var heir = following().asHeir();
        var succeeding = evaluating().awaiting(NEXT).last(OTHER);
        return table(
                row("R22 an heir whose holder goes remembers whose heartbeat it observed, and sends one of its own")
                        .given(heir)
                        .when(deleted(BEFORE))
                        .then(succeeding, READ_INHERITED_RECORD, HEARTBEAT),
                row("an heir whose node was proven a moment ago needs no heartbeat when the holder goes")
                        .given(heir.provenAt(RECENTLY))
                        .when(deleted(BEFORE))
                        .then(succeeding.provenAt(RECENTLY), READ_INHERITED_RECORD),
                row("an heir whose last proof is too old to lead on it sends a heartbeat along")
                        .given(heir.provenAt(ago(1_333)))
                        .when(deleted(BEFORE))
                        .then(succeeding.provenAt(ago(1_333)), READ_INHERITED_RECORD, HEARTBEAT),
                row("an heir whose last proof is younger than two thirds of the lease needs no heartbeat")
                        .given(heir.provenAt(ago(1_332)))
                        .when(deleted(BEFORE))
                        .then(succeeding.provenAt(ago(1_332)), READ_INHERITED_RECORD),
                row("R3 an heir sets a missing watch on its node before it sends the heartbeat (F70)")
                        .given(heir.unarmed().provenAt(RECENTLY))
                        .when(deleted(BEFORE))
                        .then(
                                succeeding.unarmed().provenAt(RECENTLY),
                                WATCH_OWN_NODE,
                                READ_INHERITED_RECORD,
                                HEARTBEAT));
    }

    @TestFactory
    Stream<DynamicTest> theHolderFallsSilent() {
        var heir = following().asHeir();
        return table(
                row("R29 an heir waits 1.1 times the holder's lease from the last sighting of its heartbeat")
                        .given(heir)
                        .heartbeatSeen(300)
                        .when(woken())
                        .then(heir, "Wake +1900ms"),
                row("R11 an heir does not take over before 1.1 times the lease is over")
                        .given(heir)
                        .heartbeatSeen(2_199)
                        .when(woken())
                        .then(heir, "Wake +1ms"),
                row("R30 R31 R32 R33 an heir takes over from a holder that has been silent for 1.1 times its lease (F73)")
                        .given(heir)
                        .heartbeatSeen(2_200)
                        .when(woken())
                        .then(takingOver().awaiting(NEXT).sentAt(NOW), TAKE_OVER),
                row("R10 an heir waits for the record's lease, also if its own is shorter (F63)")
                        .given(heir)
                        .lease(500)
                        .heartbeatSeen(2_000)
                        .when(woken())
                        .then(heir, "Wake +200ms"),
                row("R29 an heir that has not seen the holder's heartbeat does not take over, and looks again")
                        .given(heir)
                        .when(woken())
                        .then(heir, "Wake +500ms"),
                row("R36 an heir does not go by a heartbeat that another session has put in the holder's place (F75)")
                        .given(heir)
                        .heartbeatSeen(9_000, OTHERS_SESSION + 1)
                        .when(woken())
                        .then(heir, "Wake +500ms"),
                row("a follower that is not the heir never takes over")
                        .given(following())
                        .heartbeatSeen(9_000)
                        .when(woken())
                        .thenNothing(),
                row("R37 an heir does not take over from a holder that keeps other rules")
                        .given(heir.behind(OTHER.read(OTHER.heartbeat(), 0)))
                        .heartbeatSeen(9_000)
                        .when(woken())
                        .thenNothing(),
                row("an heir that was refused does not try again (F82)")
                        .given(heir.behind(OTHER.inviolable()))
                        .heartbeatSeen(9_000)
                        .when(woken())
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> theHolderIsRead() {
        var heir = following().asHeir();
        var unread = heir.behind(OTHER_UNREAD);
        String told = "Cannot take over from it";
        return table(
                row("an heir that knows the holder's heartbeat waits for its silence")
                        .given(unread)
                        .heartbeatSeen(300)
                        .when(replied(Purpose.PREDECESSOR, candidate(OTHERS_SESSION)))
                        .then(heir, "Wake +1900ms"),
                row("R29 an heir takes over at once if the holder's silence is long enough when its node was read")
                        .given(unread)
                        .heartbeatSeen(2_200)
                        .when(replied(Purpose.PREDECESSOR, candidate(OTHERS_SESSION)))
                        .then(takingOver().awaiting(NEXT).sentAt(NOW), TAKE_OVER),
                row("an heir that has not seen the holder's heartbeat yet looks again after a quarter of its lease")
                        .given(unread)
                        .when(replied(Purpose.PREDECESSOR, candidate(OTHERS_SESSION)))
                        .then(heir, "Wake +500ms"),
                row("R37 an heir does not wait for the silence of a holder that keeps earlier rules")
                        .given(unread)
                        .heartbeatSeen(300)
                        .when(replied(Purpose.PREDECESSOR, candidateWithProtocol(1)))
                        .then(heir.behind(OTHER.read(OTHER.heartbeat(), 0))),
                row("R37 an heir does not wait for the silence of a holder that keeps later rules, and reports that")
                        .given(unread)
                        .heartbeatSeen(300)
                        .when(replied(Purpose.PREDECESSOR, candidateWithProtocol(3)))
                        .then(heir.behind(OTHER.read(OTHER.heartbeat(), 0)), "Failed ElectionException"),
                row("an heir does not wait for the silence of a holder on its own connection")
                        .given(unread)
                        .heartbeatSeen(300)
                        .when(replied(Purpose.PREDECESSOR, candidate(SESSION)))
                        .then(heir.behind(OTHER.read(OTHER.heartbeat(), 0))),
                row("an heir does not wait for the silence of a holder whose heartbeat it may not observe")
                        .given(unread)
                        .when(replied(Purpose.PREDECESSOR, candidateWithHeartbeat("/elsewhere/other")))
                        .then(heir.behind(OTHER_WITHOUT_HEARTBEAT)),
                row("an heir that was refused does not wait again, and what was reported is not over (F82)")
                        .given(heir.behind(OTHER_UNWATCHED.inviolable()))
                        .error(told)
                        .failures(1)
                        .heartbeatSeen(300)
                        .when(replied(Purpose.PREDECESSOR, candidate(OTHERS_SESSION)))
                        .then(heir.behind(OTHER.inviolable())),
                row("a change of the holder's data is read, since it may name another heartbeat")
                        .given(heir)
                        .heartbeatSeen(300)
                        .when(changed(BEFORE, EventType.NodeDataChanged))
                        .then(heir.awaiting(NEXT).behind(OTHER_UNWATCHED), WATCH_PREDECESSOR, HEARTBEAT),
                row("an heir whose holder is gone before it could be watched looks again at the queue (F42)")
                        .given(unread)
                        .when(replied(Purpose.PREDECESSOR, Code.NONODE))
                        .then(evaluating().awaiting(NEXT), READ_ALL));
    }

    private static Reply candidateWithProtocol(int protocol) {
        return withData(new CandidateData("other", "", Map.of(), OTHER.heartbeat(), protocol));
    }

    private static Reply candidateWithHeartbeat(String heartbeat) {
        return withData(new CandidateData("other", "", Map.of(), heartbeat));
    }

    private static Reply withData(CandidateData data) {
        Stat stat = new Stat();
        stat.setEphemeralOwner(OTHERS_SESSION);
        return Reply.data(data.toJson(), stat);
    }

    @TestFactory
    Stream<DynamicTest> touched() {
        var heir = following().asHeir();
        return table(
                row("R35 a follower whose data changes may be the heir: it verifies its place once the new leader leads")
                        .given(following())
                        .when(changed(ME, EventType.NodeDataChanged))
                        .then(
                                evaluating()
                                        .unarmed()
                                        .awaiting(NEXT)
                                        .verifying(following().unarmed()),
                                "Wake +5ms"),
                row("R35 a follower whose data changed watches its node, then reads the record")
                        .given(evaluating().unarmed().verifying(following().unarmed()))
                        .when(woken())
                        .then(
                                evaluating()
                                        .unarmed()
                                        .awaiting(NEXT)
                                        .verifying(following().unarmed()),
                                WATCH_OWN_NODE,
                                READ_ALL),
                row("R35 an heir whose data changes goes on observing the holder meanwhile")
                        .given(heir)
                        .when(changed(ME, EventType.NodeDataChanged))
                        .then(evaluating().unarmed().awaiting(NEXT).verifying(heir.unarmed()), "Wake +5ms"),
                row("R35 a follower whose data changed before its watch was set finds that by the version")
                        .given(following().unarmed())
                        .when(ownNodeRead(ownNodeInVersion(DATA_VERSION + 1)))
                        .then(
                                evaluating()
                                        .dataVersion(DATA_VERSION + 1)
                                        .awaiting(NEXT)
                                        .verifying(following().dataVersion(DATA_VERSION + 1)),
                                "at leisure " + READ_ALL),
                row("R35 a follower that finds that before its predecessor was read verifies at once")
                        .given(following().unarmed().behind(OTHER_UNREAD))
                        .when(ownNodeRead(ownNodeInVersion(DATA_VERSION + 1)))
                        .then(
                                evaluating()
                                        .unarmed()
                                        .dataVersion(DATA_VERSION + 1)
                                        .awaiting(NEXT)
                                        .verifying(following()
                                                .dataVersion(DATA_VERSION + 1)
                                                .behind(OTHER_UNREAD)),
                                WATCH_OWN_NODE,
                                READ_ALL),
                row("a follower whose data is the same as before stays where it is")
                        .given(following().unarmed())
                        .when(ownNodeRead(ownNodeInVersion(DATA_VERSION)))
                        .then(following()));
    }

    @TestFactory
    Stream<DynamicTest> thePredecessorIsRead() {
        var following = following().behind(OTHER_UNREAD);
        return table(
                row("a follower watches its predecessor once that was read, and knows its heartbeat")
                        .given(following)
                        .when(replied(Purpose.PREDECESSOR, candidate(OTHERS_SESSION)))
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
                        .then(following().behind(OTHER_WITHOUT_HEARTBEAT.read("", 0)), "Failed ElectionException"),
                row("a predecessor that has been first for long without leading is reported (F36)")
                        .given(following.idleSince(ago(2 * SESSION_TIMEOUT)))
                        .when(replied(Purpose.PREDECESSOR, candidate(OTHERS_SESSION)))
                        .then(following().idleSince(ago(2 * SESSION_TIMEOUT)), "Failed ElectionException"),
                row("a predecessor that may still have to wait for something is not reported (F36)")
                        .given(following.idleSince(ago(2 * SESSION_TIMEOUT - 1)))
                        .when(replied(Purpose.PREDECESSOR, candidate(OTHERS_SESSION)))
                        .then(following().idleSince(ago(2 * SESSION_TIMEOUT - 1))),
                row("a predecessor that can be watched ends what was reported")
                        .given(following)
                        .error("Cannot watch it")
                        .failures(2)
                        .when(replied(Purpose.PREDECESSOR, candidate(OTHERS_SESSION)))
                        .then(following())
                        .recovered(),
                row("a predecessor that cannot be watched any more is reported, and read with each recheck (F57)")
                        .given(following().behind(OTHER_UNWATCHED))
                        .when(replied(Purpose.PREDECESSOR, Code.NOAUTH))
                        .then(following().behind(OTHER_UNWATCHED), "Failed ElectionException"),
                row("a predecessor of a later version is reported: we could not take over from it")
                        .given(following)
                        .when(replied(Purpose.PREDECESSOR, candidateWithProtocol(3)))
                        .then(following().behind(OTHER.read(OTHER.heartbeat(), 0)), "Failed ElectionException"),
                row("a lost reply says nothing about the predecessor")
                        .given(following)
                        .when(replied(Purpose.PREDECESSOR, Code.CONNECTIONLOSS))
                        .thenNothing());
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
                                "at leisure LIST Children orders + RECORD Get leader"),
                row("R27 an heir whose watches are set verifies its place, and goes on observing the holder")
                        .given(following().asHeir())
                        .when(recheck())
                        .then(
                                evaluating()
                                        .awaiting(NEXT)
                                        .verifying(following().asHeir()),
                                "at leisure LIST Children orders + RECORD Get leader"),
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
