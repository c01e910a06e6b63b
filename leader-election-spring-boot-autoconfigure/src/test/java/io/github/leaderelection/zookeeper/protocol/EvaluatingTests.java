package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** How the queue and the record are read; what follows from them is tested in {@link DecisionTests}. */
class EvaluatingTests {

    private static final String OVERFLOWN = "c-x-2147483647";
    private static final String NEGATIVE = "c-x--2147483648";

    @TestFactory
    Stream<DynamicTest> theQueue() {
        return table(
                row("R9 the time of the reply that lists the queue is remembered")
                        .given(evaluating())
                        .when(listed(ME))
                        .then(evaluating().listed(queueListed(NOW, ME))),
                row("a candidate that is not in the list has lost its node")
                        .given(evaluating())
                        .when(listed(BEFORE))
                        .then(nodeLost(0).awaiting(NEXT), READ_ELECTION, READ_RECORD),
                row("a candidate without an election node has lost its own")
                        .given(evaluating())
                        .when(replied(Purpose.LIST, Code.NONODE))
                        .then(nodeLost(0).awaiting(NEXT), READ_ELECTION, READ_RECORD),
                row("a twin in the list is deleted (F28)")
                        .given(evaluating())
                        .when(listed(ME, OLDER_TWIN))
                        .then(evaluating().listed(ME, OLDER_TWIN), "DeleteOrphan " + OLDER_TWIN),
                row("a node of a former candidacy of this connection is deleted, since it would block the queue (F94)")
                        .given(evaluating())
                        .when(listed(ORPHAN, BEFORE, ME))
                        .then(evaluating().listed(ORPHAN, BEFORE, ME), "DeleteOrphan " + ORPHAN),
                row("R26 a twin is not adopted in place of a node that may have led (F69)")
                        .given(evaluating().provenAt(LONG_AGO))
                        .terms(3)
                        .formerNode(ME)
                        .when(listed(OLDER_TWIN))
                        .then(
                                nodeLost(0).provenAt(LONG_AGO).awaiting(NEXT),
                                "DeleteOrphan " + OLDER_TWIN,
                                READ_ELECTION,
                                READ_RECORD),
                row("a queue that cannot be read is reported, and read again later (F57)")
                        .given(evaluating())
                        .when(replied(Purpose.LIST, Code.NOAUTH))
                        .then(evaluating(), "Failed ElectionException", PAUSE)
                        .failures(1),
                row("R16 an heir that the record names leads without another round trip")
                        .given(evaluating().last(OTHER).provenAt(RECENTLY))
                        .when(replied(Purpose.INHERITED_RECORD, held(ME, TOKEN)))
                        .then(
                                leadingNow().succession(Succession.UNKNOWN).leases(OTHERS_LEASE, OTHERS_LEASE),
                                "Granted 1",
                                "when there is room " + WATCH_QUEUE),
                row("R16 an heir that the record names needs a proof of its node all the same")
                        .given(evaluating().last(OTHER))
                        .when(replied(Purpose.INHERITED_RECORD, held(ME, TOKEN)))
                        .then(named().listed(CandidateQueue.NONE), HEARTBEAT),
                row("R27 an heir that the record does not name reads it again, after the queue")
                        .given(evaluating().last(OTHER))
                        .when(replied(Purpose.INHERITED_RECORD, held(BEFORE, TOKEN)))
                        .then(evaluating().last(OTHER).awaiting(NEXT), READ_ALL),
                row("an heir whose record cannot be read reads the queue, which shows what is wrong")
                        .given(evaluating().last(OTHER))
                        .when(replied(Purpose.INHERITED_RECORD, Code.NOAUTH))
                        .then(evaluating().last(OTHER).awaiting(NEXT), READ_ALL),
                row("an heir whose read was lost with the connection waits for the next one")
                        .given(evaluating().last(OTHER))
                        .when(replied(Purpose.INHERITED_RECORD, Code.CONNECTIONLOSS))
                        .thenNothing(),
                row("a candidate reads again after a pause")
                        .given(evaluating().listed(ME))
                        .when(woken())
                        .then(evaluating().awaiting(NEXT), READ_ALL));
    }

    @TestFactory
    Stream<DynamicTest> theOverflow() {
        var unordered = evaluating().listed(ME, OVERFLOWN);
        var negative = evaluating()
                .listed(NEGATIVE, ME)
                .stat(path(NEGATIVE), createdAs(80))
                .stat(path(ME), createdAs(70));
        return table(
                row("after an overflow the order of creation decides, and the record is read again (F59)")
                        .given(evaluating())
                        .when(listed(ME, OVERFLOWN))
                        .then(
                                evaluating().awaiting(NEXT).listed(ME, OVERFLOWN),
                                "STAT Exists " + ME,
                                "STAT Exists " + OVERFLOWN,
                                READ_RECORD),
                row("after an overflow an older candidate is ahead, whatever its number (F59)")
                        .given(unordered.stat(path(ME), createdAs(70)).stat(path(OVERFLOWN), createdAs(60)))
                        .when(recordRead(heldWithOtherHeir(OVERFLOWN)))
                        .then(
                                following().awaiting(NEXT).behind(new Predecessor(path(OVERFLOWN))),
                                "PREDECESSOR Get " + OVERFLOWN + " watch"),
                row("after an overflow a younger candidate is behind, whatever its number (F59)")
                        .given(negative)
                        .when(recordRead(released(30)))
                        .then(claimingNow().listed(queueInThisOrder(ME, NEGATIVE)), CLAIM),
                row("after an overflow the order is known also while the Stats of ancestors are read (F59)")
                        .given(negative)
                        .when(recordRead(NO_NODE))
                        .then(negative.listed(queueInThisOrder(ME, NEGATIVE)).record(NO_NODE), READ_ELECTION),
                row("a candidate that is gone when its order is asked for does not count (F59)")
                        .given(unordered)
                        .when(statRead(path(OVERFLOWN), NO_NODE))
                        .thenNothing(),
                row("a candidate whose order cannot be determined is reported, and read again later (F59)")
                        .given(unordered)
                        .when(statRead(path(OVERFLOWN), Reply.of(Code.THROTTLEDOP)))
                        .then(unordered, "Failed ElectionException", PAUSE)
                        .failures(1),
                row("a candidate whose own node is gone when its order is asked for has lost it (F59)")
                        .given(unordered.stat(path(OVERFLOWN), createdAs(80)))
                        .when(recordRead(released(30)))
                        .then(nodeLost(0).awaiting(NEXT), READ_ELECTION, READ_RECORD));
    }

    private static Stat createdAs(long czxid) {
        Stat stat = new Stat();
        stat.setCzxid(czxid);
        return stat;
    }

    private static CandidateQueue queueInThisOrder(String... nodes) {
        List<NodeName> names =
                Arrays.stream(nodes).map(NodeName::parse).map(Optional::get).toList();
        return new CandidateQueue(names, false, true, NOW.nanos(), true);
    }

    @TestFactory
    Stream<DynamicTest> theRecord() {
        var listed = evaluating().listed(ME, AFTER);
        return table(
                row("R27 a record that was read before the queue is not used")
                        .given(evaluating())
                        .when(recordRead(released(30)))
                        .thenNothing(),
                row("a record whose reply is lost is read again when the connection is back")
                        .given(evaluating().listed(ME).last(OTHER))
                        .when(replied(Purpose.RECORD, Code.CONNECTIONLOSS))
                        .thenNothing(),
                row("a record that may not be read is reported, and read again later (F57)")
                        .given(listed)
                        .when(replied(Purpose.RECORD, Code.NOAUTH))
                        .then(listed.record(Reply.of(Code.NOAUTH)), "Failed ElectionException", PAUSE)
                        .failures(1));
    }

    @TestFactory
    Stream<DynamicTest> theStatsOfAncestors() {
        var withoutRecord = evaluating().listed(ME).record(NO_NODE);
        return table(
                row("a Stat that comes before the record is kept")
                        .given(evaluating().listed(ME))
                        .when(statRead(ELECTION, Reply.stat(stat(1, 1, 10_000))))
                        .then(evaluating().listed(ME).stat(ELECTION, stat(1, 1, 10_000))),
                row("a Stat that was read along with the data is kept")
                        .given(evaluating().listed(ME))
                        .when(replied(
                                Purpose.STAT,
                                new Request.Get(ELECTION, false),
                                Reply.data(new byte[0], stat(1, 1, 10_000))))
                        .then(evaluating().listed(ME).stat(ELECTION, stat(1, 1, 10_000))),
                row("a Stat that was waited for decides")
                        .given(withoutRecord)
                        .when(statRead(ELECTION, Reply.stat(stat(1, 1, 10_000))))
                        .then(
                                claimingNow().claim(NO_RECORD),
                                "CLAIM Multi(Check " + ME + ", Create leader PERSISTENT HELD " + ME
                                        + " 0 3000, Set beat v-1)"),
                row("R12 an ancestor that cannot be read rules nothing out (F64)")
                        .given(withoutRecord)
                        .when(statRead(ELECTION, NO_NODE))
                        .then(awaitingLeaseEnd(9_900).awaiting(NEXT).claim(NO_RECORD), WATCH_RECORD, "Wake +9900ms"),
                row("a Stat that was refused along with the data is not used; it is asked for alone")
                        .given(evaluating().listed(ME))
                        .when(replied(Purpose.STAT, new Request.Get(ELECTION, false), Reply.of(Code.NOAUTH)))
                        .thenNothing(),
                row("a lost reply says nothing about an ancestor")
                        .given(withoutRecord)
                        .when(statRead(ELECTION, Reply.of(Code.CONNECTIONLOSS)))
                        .thenNothing());
    }

    /** The predecessor is gone, and what it left is being read. */
    @TestFactory
    Stream<DynamicTest> meanwhile() {
        var succeeding = evaluating().listed(ME).last(OTHER);
        var verifying = evaluating().verifying(following()).listed(BEFORE, ME);
        return table(
                row("a candidate whose own node goes while it evaluates asks why")
                        .given(succeeding)
                        .when(deleted(ME))
                        .then(nodeLost(0).awaiting(NEXT), READ_ELECTION, READ_RECORD),
                row("R1 a heartbeat that is acknowledged while it evaluates proves its node when it was sent")
                        .given(succeeding)
                        .when(acknowledged(RECENTLY))
                        .then(succeeding.provenAt(RECENTLY)),
                row("R3 a heartbeat proves nothing while the own node's watch is not set (F70)")
                        .given(evaluating().unarmed())
                        .when(acknowledged(RECENTLY))
                        .thenNothing(),
                row("a candidate that loses its connection after its predecessor went knows nothing but its node")
                        .given(succeeding)
                        .when(disconnected())
                        .then(detached()),
                row("a first candidate that loses its connection knows nothing but its node")
                        .given(evaluating().listed(ME, AFTER))
                        .when(disconnected())
                        .then(detached()),
                row("a wait that was interrupted counts also after the loss of the connection (F43)")
                        .given(evaluating().waited(awaitingLeaseEnd(1_000)))
                        .when(disconnected())
                        .then(detached().waited(awaitingLeaseEnd(1_000))),
                row("a recheck reads afresh")
                        .given(succeeding)
                        .when(recheck())
                        .then(evaluating().awaiting(NEXT), READ_ALL),
                row("R35 a touch that comes while it evaluates uses up the watch; the record is read after it (F85)")
                        .given(verifying)
                        .when(changed(ME, EventType.NodeDataChanged))
                        .then(verifying.unarmed(), WATCH_OWN_NODE),
                row("R29 an heir whose holder goes while its place is verified remembers what it observed")
                        .given(evaluating().verifying(following().asHeir()).listed(BEFORE, ME))
                        .when(deleted(BEFORE))
                        .then(evaluating().awaiting(NEXT).last(OTHER), READ_INHERITED_RECORD, HEARTBEAT),
                row("a change of the predecessor's data while its place is verified uses up the watch, which is set again then")
                        .given(verifying)
                        .when(changed(BEFORE, EventType.NodeDataChanged))
                        .then(verifying.verifying(following().behind(OTHER_UNWATCHED))),
                row("a candidate whose session expires waits for a new one")
                        .given(succeeding)
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST)));
    }

    @TestFactory
    Stream<DynamicTest> leaves() {
        return table(
                row("a candidate that leaves while its place is verified removes the watch on its predecessor (I5)")
                        .given(evaluating().verifying(following()))
                        .when(leave(AfterLeaving.CLOSE))
                        .then(
                                leaving(AfterLeaving.CLOSE).awaiting(NEXT).deleting(),
                                "CLEAN_UP RemoveWatches " + BEFORE,
                                DELETE_OWN_NODE,
                                READ_RECORD),
                row("a candidate that leaves after an interrupted wait removes the watch on the record (I5)")
                        .given(evaluating().waited(awaitingLeaseEnd(1_000)))
                        .when(leave(AfterLeaving.CLOSE))
                        .then(
                                leaving(AfterLeaving.CLOSE).awaiting(NEXT).deleting(),
                                "CLEAN_UP RemoveWatches " + LeaderRecord.NODE,
                                DELETE_OWN_NODE,
                                READ_RECORD));
    }
}
