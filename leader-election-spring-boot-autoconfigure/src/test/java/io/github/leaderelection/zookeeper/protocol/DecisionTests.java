package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What follows from a candidate's place in the queue and the record. */
class DecisionTests {

    private static final States.EvaluatingBuilder FIRST_IN_QUEUE = evaluating().listed(ME, AFTER);
    private static final States.EvaluatingBuilder SECOND_IN_QUEUE = evaluating().listed(BEFORE, ME);
    private static final States.EvaluatingBuilder AFTER_PREDECESSOR =
            evaluating().listed(ME).last(OTHER);

    private static final String CLAIM_OF_NEW_ELECTION =
            "CLAIM Multi(Check " + ME + ", Create leader PERSISTENT HELD " + ME + " 70 3000, Set beat v-1)";

    @TestFactory
    Stream<DynamicTest> notFirst() {
        return table(
                row("a candidate that is not first watches its predecessor and its own node")
                        .given(SECOND_IN_QUEUE.unarmed())
                        .when(recordRead(held(BEFORE, 30)))
                        .then(
                                following().unarmed().awaiting(NEXT).behind(OTHER_UNREAD),
                                WATCH_PREDECESSOR,
                                WATCH_OWN_NODE,
                                HEARTBEAT),
                row("a candidate that is not first follows also without a record")
                        .given(SECOND_IN_QUEUE.unarmed())
                        .when(recordRead(NO_NODE))
                        .then(
                                following()
                                        .unarmed()
                                        .awaiting(NEXT)
                                        .behind(OTHER_UNREAD)
                                        .idleSince(NOW),
                                WATCH_PREDECESSOR,
                                WATCH_OWN_NODE,
                                HEARTBEAT),
                row("a predecessor that is not first itself is not expected to lead")
                        .given(evaluating().listed(FIRST, BEFORE, ME))
                        .when(recordRead(released(30)))
                        .then(following().awaiting(NEXT).behind(OTHER_UNREAD), WATCH_PREDECESSOR));
    }

    @TestFactory
    Stream<DynamicTest> first() {
        return table(
                row("R6 a first candidate claims a released record, and compares the version that it read")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(released(30)))
                        .then(
                                claimingNow().listed(ME, AFTER),
                                "CLAIM Multi(Check c-me-0000000007, Set leader v4 HELD c-me-0000000007 70 3000,"
                                        + " Set beat v-1)"),
                row("R8 a first candidate claims before its own watch is set, since the claim checks its node")
                        .given(evaluating().unarmed().listed(ME))
                        .when(recordRead(released(30)))
                        .then(claimingNow().unarmed(), CLAIM),
                row("R11 a first candidate waits 1.1 times the lease of a record that another node holds")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(held(BEFORE, 30)))
                        .then(awaitingLeaseEnd(2_200).awaiting(NEXT).listed(ME, AFTER), WATCH_RECORD, "Wake +2200ms"),
                row("R10 a first candidate waits for the record's lease, also if its own is shorter (F63)")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(record(LeaderRecord.held(BEFORE, 30, 10_000), 30)))
                        .then(awaitingLeaseEnd(11_000).awaiting(NEXT).listed(ME, AFTER), WATCH_RECORD, "Wake +11000ms"),
                row("R9 the wait counts from the reply that listed us first, not from the record's")
                        .given(evaluating().listed(queueListed(ago(500), ME)))
                        .when(recordRead(held(BEFORE, 30)))
                        .then(
                                awaitingLeaseEnd(1_700).awaiting(NEXT).listed(queueListed(ago(500), ME)),
                                WATCH_RECORD,
                                "Wake +1700ms"),
                row("a candidate that waits sets the watch on its own node")
                        .given(evaluating().unarmed().listed(ME))
                        .when(recordRead(held(BEFORE, 30)))
                        .then(
                                awaitingLeaseEnd(2_200).unarmed().awaiting(NEXT),
                                WATCH_OWN_NODE,
                                WATCH_RECORD,
                                "Wake +2200ms"),
                row("a first candidate need not wait for a term of its own that is over")
                        .given(FIRST_IN_QUEUE)
                        .formerNode(BEFORE)
                        .when(recordRead(held(BEFORE, 30)))
                        .then(claimingNow().listed(ME, AFTER), CLAIM),
                row("R13 a first candidate follows a holder that is listed, wherever that stands in the queue")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(held(AFTER, 60)))
                        .then(
                                following().awaiting(NEXT).behind(new Predecessor(path(AFTER), "", false)),
                                "PREDECESSOR Get " + AFTER + " watch"),
                row("a first candidate waits the session timeout if the record cannot be understood")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(data("?".getBytes(StandardCharsets.UTF_8), 1)))
                        .then(awaitingLeaseEnd(9_900).awaiting(NEXT).listed(ME, AFTER), WATCH_RECORD, "Wake +9900ms"));
    }

    @TestFactory
    Stream<DynamicTest> theInterruptedWait() {
        return table(
                row("an earlier wait for the same record counts (F43)")
                        .given(evaluating().listed(ME).waited(awaitingLeaseEnd(1_000)))
                        .when(recordRead(held(BEFORE, 30)))
                        .then(awaitingLeaseEnd(1_000).awaiting(NEXT), WATCH_RECORD, "Wake +1000ms"),
                row("R13 a record that has changed since starts the wait anew")
                        .given(evaluating()
                                .listed(ME)
                                .waited(awaitingLeaseEnd(1_000).version(VERSION - 1)))
                        .when(recordRead(held(BEFORE, 30)))
                        .then(awaitingLeaseEnd(2_200).awaiting(NEXT), WATCH_RECORD, "Wake +2200ms"),
                row("an earlier wait that would end later does not delay the claim")
                        .given(evaluating().listed(ME).waited(awaitingLeaseEnd(9_000)))
                        .when(recordRead(held(BEFORE, 30)))
                        .then(awaitingLeaseEnd(2_200).awaiting(NEXT), WATCH_RECORD, "Wake +2200ms"),
                row("a candidate whose earlier wait is over claims at once (F43)")
                        .given(evaluating().listed(ME).waited(awaitingLeaseEnd(0)))
                        .when(recordRead(held(BEFORE, 30)))
                        .then(claimingNow(), CLAIM));
    }

    @TestFactory
    Stream<DynamicTest> theObservedLease() {
        return table(
                row("a candidate that saw the holder's last heartbeat 2 s ago waits only the rest of its lease")
                        .given(AFTER_PREDECESSOR)
                        .heartbeatSeen(2_000)
                        .when(recordRead(held(BEFORE, 30)))
                        .then(awaitingLeaseEnd(200).awaiting(NEXT), WATCH_RECORD, "Wake +200ms"),
                row("a candidate that saw the holder's last heartbeat longer ago than its lease claims at once")
                        .given(AFTER_PREDECESSOR)
                        .heartbeatSeen(3_000)
                        .when(recordRead(held(BEFORE, 30)))
                        .then(claimingNow(), CLAIM),
                row("R22 the heartbeats of another candidate than the holder do not shorten the wait")
                        .given(AFTER_PREDECESSOR)
                        .heartbeatSeen(3_000)
                        .when(recordRead(held("c-z-0000000002", 30)))
                        .then(awaitingLeaseEnd(2_200).awaiting(NEXT), WATCH_RECORD, "Wake +2200ms"),
                row("R22 a candidate that may have missed a heartbeat waits for the whole lease (F71)")
                        .given(AFTER_PREDECESSOR)
                        .when(recordRead(held(BEFORE, 30)))
                        .then(awaitingLeaseEnd(2_200).awaiting(NEXT), WATCH_RECORD, "Wake +2200ms"),
                row("R9 a heartbeat that was seen after the reply that listed us first does not prolong the wait")
                        .given(evaluating().last(OTHER).listed(queueListed(ago(500), ME)))
                        .heartbeatSeen(100)
                        .when(recordRead(held(BEFORE, 30)))
                        .then(
                                awaitingLeaseEnd(1_700).awaiting(NEXT).listed(queueListed(ago(500), ME)),
                                WATCH_RECORD,
                                "Wake +1700ms"));
    }

    @TestFactory
    Stream<DynamicTest> namedByTheRecord() {
        return table(
                row("R14 a candidate that the record names needs a heartbeat before it leads (F66)")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(held(ME, 70)))
                        .then(named().listed(ME, AFTER), HEARTBEAT),
                row("R14 a candidate that the record names leads at once if a recent heartbeat proves its node")
                        .given(FIRST_IN_QUEUE.provenAt(RECENTLY))
                        .when(recordRead(held(ME, 30)))
                        .then(
                                leadingNow().leases(OTHERS_LEASE, OTHERS_LEASE),
                                "Granted 1",
                                "when there is room " + WATCH_QUEUE),
                row("R14 a heartbeat that is younger than half of the lease will do")
                        .given(FIRST_IN_QUEUE.provenAt(ago(OTHERS_LEASE / 2 - 1)))
                        .when(recordRead(held(ME, 30)))
                        .then(
                                leadingNow().provenAt(ago(OTHERS_LEASE / 2 - 1)).leases(OTHERS_LEASE, OTHERS_LEASE),
                                "Granted 1",
                                "when there is room " + WATCH_QUEUE),
                row("R14 a heartbeat that is older than half of the lease will not do")
                        .given(FIRST_IN_QUEUE.provenAt(ago(OTHERS_LEASE / 2)))
                        .when(recordRead(held(ME, 30)))
                        .then(named().provenAt(ago(OTHERS_LEASE / 2)).listed(ME, AFTER), HEARTBEAT),
                row("R3 a recent heartbeat does not count if the own node's watch is no longer set (F70)")
                        .given(FIRST_IN_QUEUE.unarmed().provenAt(RECENTLY))
                        .when(recordRead(held(ME, 30)))
                        .then(named().unarmed().provenAt(RECENTLY).listed(ME, AFTER), WATCH_OWN_NODE, HEARTBEAT),
                row("a candidate that the record names need not be first")
                        .given(SECOND_IN_QUEUE)
                        .when(recordRead(held(ME, 30)))
                        .then(named().listed(BEFORE, ME), HEARTBEAT),
                row("R14 a candidate that its predecessor has named needs a heartbeat before it leads")
                        .given(AFTER_PREDECESSOR)
                        .when(recordRead(held(ME, 30)))
                        .then(named(), HEARTBEAT),
                row("a candidate that its predecessor has named and whose node is proven leads, and lists the queue")
                        .given(AFTER_PREDECESSOR.provenAt(RECENTLY))
                        .when(recordRead(held(ME, 30)))
                        .then(
                                leadingNow().successor(NO_HEIR).leases(OTHERS_LEASE, OTHERS_LEASE),
                                "Granted 1",
                                "when there is room " + WATCH_QUEUE),
                row("R16 a record that names another node with our GUID does not name us")
                        .given(FIRST_IN_QUEUE.provenAt(RECENTLY))
                        .when(recordRead(held(OLDER_TWIN, 40)))
                        .then(
                                awaitingLeaseEnd(2_200)
                                        .provenAt(RECENTLY)
                                        .awaiting(NEXT)
                                        .listed(ME, AFTER),
                                WATCH_RECORD,
                                "Wake +2200ms"));
    }

    @TestFactory
    Stream<DynamicTest> theToken() {
        Deleting joinAfresh = leaving(AfterLeaving.PAUSE).awaiting(NEXT).deleting();
        return table(
                row("R25 a candidate whose token would be smaller than the record's leaves and joins afresh (I7)")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(record(LeaderRecord.released(MY_CZXID + 1, OTHERS_LEASE), 75)))
                        .then(joinAfresh, DELETE_OWN_NODE, READ_RECORD),
                row("R25 a candidate whose token would equal the record's leaves and joins afresh (I7)")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(record(LeaderRecord.released(MY_CZXID, OTHERS_LEASE), 75)))
                        .then(joinAfresh, DELETE_OWN_NODE, READ_RECORD),
                row("R25 a candidate that is not first joins afresh as well, since its turn would be in vain (I7)")
                        .given(SECOND_IN_QUEUE)
                        .when(recordRead(record(LeaderRecord.held(BEFORE, MY_CZXID + 1, OTHERS_LEASE), 75)))
                        .then(joinAfresh, DELETE_OWN_NODE, READ_RECORD),
                row("R25 a token that is ahead of ZooKeeper's own numbers is reported: no candidate can lead")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(record(LeaderRecord.released(72, OTHERS_LEASE), 71)))
                        .then(joinAfresh, "Failed ElectionException", DELETE_OWN_NODE, READ_RECORD));
    }

    @TestFactory
    Stream<DynamicTest> theEnd() {
        return table(
                row("an election that ended before we joined is cleared away (F67)")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(ended(60)))
                        .then(leaving(AfterLeaving.CLEAR).awaiting(NEXT).deleting(), DELETE_OWN_NODE, READ_RECORD),
                row("an election that ended after we joined has ended for us")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(ended(80)))
                        .then(
                                leaving(AfterLeaving.END).awaiting(NEXT).deleting(),
                                "Ended",
                                DELETE_OWN_NODE,
                                READ_RECORD));
    }

    @TestFactory
    Stream<DynamicTest> withoutRecord() {
        var first = evaluating().listed(ME);
        var wait = awaitingLeaseEnd(9_900).awaiting(NEXT).version(Claiming.NO_RECORD);
        var claim = claimingNow().version(Claiming.NO_RECORD);
        Stat oldUntouched = stat(1, 1, 10_000);
        Stat youngUntouched = stat(1, 1, 0);
        return table(
                row("without a record, the Stat of the election node is read")
                        .given(first)
                        .when(recordRead(NO_NODE))
                        .then(first.record(NO_NODE), "STAT Exists orders"),
                row("R12 an old election node from which nothing was deleted had no leader: claims at once")
                        .given(first.stat(ELECTION, oldUntouched))
                        .when(recordRead(NO_NODE))
                        .then(claim, CLAIM_OF_NEW_ELECTION),
                row("R12 an election node from which something was deleted may have had one: waits (F64)")
                        .given(first.stat(ELECTION, stat(3, 1, 10_000)))
                        .when(recordRead(NO_NODE))
                        .then(wait, WATCH_RECORD, "Wake +9900ms"),
                row("R12 a young election node may have replaced another one: its parent is read")
                        .given(first.stat(ELECTION, youngUntouched))
                        .when(recordRead(NO_NODE))
                        .then(first.stat(ELECTION, youngUntouched).record(NO_NODE), "STAT Exists e"),
                row("R12 a young election node under an old parent without deletions is new: claims at once")
                        .given(first.stat(ELECTION, youngUntouched).stat("/e", stat(5, 5, 10_000)))
                        .when(recordRead(NO_NODE))
                        .then(claim, CLAIM_OF_NEW_ELECTION),
                row("R12 a young election node under a parent from which something was deleted: waits (F64)")
                        .given(first.stat(ELECTION, youngUntouched).stat("/e", stat(7, 5, 10_000)))
                        .when(recordRead(NO_NODE))
                        .then(wait, WATCH_RECORD, "Wake +9900ms"),
                row("R12 a node is old only if it is older than the session timeout (F64)")
                        .given(first.stat(ELECTION, stat(1, 1, SESSION_TIMEOUT)))
                        .when(recordRead(NO_NODE))
                        .then(first.stat(ELECTION, stat(1, 1, SESSION_TIMEOUT)).record(NO_NODE), "STAT Exists e"),
                row("R12 nothing was ever deleted up to the root: claims at once")
                        .given(first.stat(ELECTION, youngUntouched)
                                .stat("/e", youngUntouched)
                                .stat("/", root(-1, 1)))
                        .when(recordRead(NO_NODE))
                        .then(claim, CLAIM_OF_NEW_ELECTION),
                row("R12 something was deleted from the root: waits (F64)")
                        .given(first.stat(ELECTION, youngUntouched)
                                .stat("/e", youngUntouched)
                                .stat("/", root(1, 1)))
                        .when(recordRead(NO_NODE))
                        .then(wait, WATCH_RECORD, "Wake +9900ms"),
                row("R12 the young top of a chroot rules nothing out: waits (F64)")
                        .given(first.stat(ELECTION, youngUntouched)
                                .stat("/e", youngUntouched)
                                .stat("/", youngUntouched))
                        .when(recordRead(NO_NODE))
                        .then(wait, WATCH_RECORD, "Wake +9900ms"));
    }

    private static Stat root(int cversion, int children) {
        Stat stat = stat(cversion, children, 0);
        stat.setCzxid(0);
        return stat;
    }

    @TestFactory
    Stream<DynamicTest> theVerifiedFollower() {
        var verifying = evaluating().verifying(following());
        return table(
                row("a verified follower goes on, and sends nothing")
                        .given(verifying.listed(BEFORE, ME))
                        .when(recordRead(held(BEFORE, 30)))
                        .then(following()),
                row("a follower that finds another predecessor watches that one, since a watch did not report it")
                        .given(verifying.listed(FIRST, ME))
                        .when(recordRead(held(FIRST, 20)))
                        .then(
                                following().awaiting(NEXT).behind(new Predecessor(path(FIRST), "", false)),
                                "PREDECESSOR Get " + FIRST + " watch"),
                row("a follower that finds no predecessor claims, since a watch did not report it")
                        .given(verifying.listed(ME))
                        .when(recordRead(released(30)))
                        .then(claimingNow(), CLAIM),
                row("a follower whose predecessor is first and does not lead reads that again (F36)")
                        .given(verifying.listed(BEFORE, ME))
                        .when(recordRead(released(30)))
                        .then(following().awaiting(NEXT).behind(OTHER_UNWATCHED).idleSince(NOW), WATCH_PREDECESSOR),
                row("a follower remembers since when its predecessor has not led (F36)")
                        .given(evaluating()
                                .verifying(following().idleSince(LONG_AGO))
                                .listed(BEFORE, ME))
                        .when(recordRead(released(30)))
                        .then(
                                following()
                                        .awaiting(NEXT)
                                        .behind(OTHER_UNWATCHED)
                                        .idleSince(LONG_AGO),
                                WATCH_PREDECESSOR),
                row("a follower counts from now how long another predecessor has not led (F36)")
                        .given(evaluating()
                                .verifying(following().idleSince(LONG_AGO))
                                .listed(FIRST, ME))
                        .when(recordRead(released(20)))
                        .then(
                                following()
                                        .awaiting(NEXT)
                                        .behind(new Predecessor(path(FIRST), "", false))
                                        .idleSince(NOW),
                                "PREDECESSOR Get " + FIRST + " watch"),
                row("a follower whose own watch was removed meanwhile sets all of them again")
                        .given(evaluating()
                                .unarmed()
                                .verifying(following().unarmed())
                                .listed(BEFORE, ME))
                        .when(recordRead(held(BEFORE, 30)))
                        .then(
                                following().unarmed().awaiting(NEXT).behind(OTHER_UNWATCHED),
                                WATCH_PREDECESSOR,
                                WATCH_OWN_NODE,
                                HEARTBEAT),
                row("a follower whose own watch could not be set before watches its predecessor again (F57)")
                        .given(evaluating().verifying(following().unarmed()).listed(BEFORE, ME))
                        .when(recordRead(held(BEFORE, 30)))
                        .then(following().awaiting(NEXT).behind(OTHER_UNWATCHED), WATCH_PREDECESSOR));
    }
}
