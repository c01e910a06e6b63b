package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.client.Reply;
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

    /** A second list does not show the holder either. */
    private static final States.EvaluatingBuilder CONFIRMED = FIRST_IN_QUEUE.confirming(RECORD);

    private static final String CLAIM_OF_NEW_ELECTION =
            "CLAIM Multi(Check " + ME + ", Create leader PERSISTENT HELD " + ME + " 0 3000, Set beat v-1)";

    @TestFactory
    Stream<DynamicTest> notFirst() {
        return table(
                row("a candidate that is not first watches its predecessor and its own node")
                        .given(SECOND_IN_QUEUE.unarmed())
                        .when(recordRead(heldWithOtherHeir(BEFORE)))
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
                                "CLAIM Multi(Check c-me-0000000007, Set leader v4 HELD c-me-0000000007 31 3000,"
                                        + " Set beat v-1)"),
                row("R8 a first candidate claims before its own watch is set, since the claim checks its node")
                        .given(evaluating().unarmed().listed(ME))
                        .when(recordRead(released(30)))
                        .then(claimingNow().unarmed(), CLAIM),
                row("R11 a first candidate waits 1.1 times the lease of a record that another node holds")
                        .given(CONFIRMED)
                        .when(recordRead(held(BEFORE, 30)))
                        .then(awaitingLeaseEnd(2_200).awaiting(NEXT).listed(ME, AFTER), WATCH_RECORD, "Wake +2200ms"),
                row("R10 a first candidate waits for the record's lease, also if its own is shorter (F63)")
                        .given(FIRST_IN_QUEUE.confirming(new Claim(VERSION, TOKEN + 1, 10_000)))
                        .when(recordRead(record(LeaderRecord.held(BEFORE, 30, 10_000), 30)))
                        .then(
                                awaitingLeaseEnd(11_000)
                                        .claim(new Claim(VERSION, TOKEN + 1, 10_000))
                                        .awaiting(NEXT)
                                        .listed(ME, AFTER),
                                WATCH_RECORD,
                                "Wake +11000ms"),
                row("R9 the wait counts from the reply that listed us first, not from the record's")
                        .given(evaluating().confirming(RECORD).listed(queueListed(ago(500), ME)))
                        .when(recordRead(held(BEFORE, 30)))
                        .then(
                                awaitingLeaseEnd(1_700).awaiting(NEXT).listed(queueListed(ago(500), ME)),
                                WATCH_RECORD,
                                "Wake +1700ms"),
                row("a candidate that waits sets the watch on its own node")
                        .given(evaluating().unarmed().confirming(RECORD).listed(ME))
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
                        .when(recordRead(heldWithOtherHeir(AFTER)))
                        .then(
                                following().awaiting(NEXT).behind(new Predecessor(path(AFTER))),
                                "PREDECESSOR Get " + AFTER + " watch"),
                row("a first candidate waits the session timeout if the record cannot be understood")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(data("?".getBytes(StandardCharsets.UTF_8), 1)))
                        .then(
                                awaitingLeaseEnd(9_900)
                                        .claim(new Claim(VERSION, 2, 0))
                                        .awaiting(NEXT)
                                        .listed(ME, AFTER),
                                WATCH_RECORD,
                                "Wake +9900ms"));
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
                                .confirming(RECORD)
                                .waited(awaitingLeaseEnd(1_000).claim(new Claim(VERSION - 1, TOKEN, OTHERS_LEASE))))
                        .when(recordRead(held(BEFORE, 30)))
                        .then(awaitingLeaseEnd(2_200).awaiting(NEXT), WATCH_RECORD, "Wake +2200ms"),
                row("R13 a record that was created again since starts the wait anew, whatever its version")
                        .given(evaluating()
                                .listed(ME)
                                .confirming(RECORD)
                                .waited(awaitingLeaseEnd(1_000).claim(new Claim(VERSION, TOKEN - 5, OTHERS_LEASE))))
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
                        .given(AFTER_PREDECESSOR.confirming(RECORD))
                        .heartbeatSeen(2_000)
                        .when(recordRead(held(BEFORE, 30)))
                        .then(awaitingLeaseEnd(200).awaiting(NEXT), WATCH_RECORD, "Wake +200ms"),
                row("a candidate that saw the holder's last heartbeat longer ago than its lease claims at once")
                        .given(AFTER_PREDECESSOR.confirming(RECORD))
                        .heartbeatSeen(3_000)
                        .when(recordRead(held(BEFORE, 30)))
                        .then(claimingNow(), CLAIM),
                row("R22 the heartbeats of another candidate than the holder do not shorten the wait")
                        .given(AFTER_PREDECESSOR.confirming(RECORD))
                        .heartbeatSeen(3_000)
                        .when(recordRead(held("c-z-0000000002", 30)))
                        .then(awaitingLeaseEnd(2_200).awaiting(NEXT), WATCH_RECORD, "Wake +2200ms"),
                row("R22 a candidate that may have missed a heartbeat waits for the whole lease (F71)")
                        .given(AFTER_PREDECESSOR.confirming(RECORD))
                        .when(recordRead(held(BEFORE, 30)))
                        .then(awaitingLeaseEnd(2_200).awaiting(NEXT), WATCH_RECORD, "Wake +2200ms"),
                row("R9 a heartbeat that was seen after the reply that listed us first does not prolong the wait")
                        .given(evaluating().last(OTHER).confirming(RECORD).listed(queueListed(ago(500), ME)))
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
                        .when(recordRead(held(ME, TOKEN)))
                        .then(named().listed(ME, AFTER), HEARTBEAT),
                row("R14 a candidate that the record names leads at once if a recent heartbeat proves its node")
                        .given(FIRST_IN_QUEUE.provenAt(RECENTLY))
                        .when(recordRead(held(ME, 30)))
                        .then(
                                leadingNow().leases(OTHERS_LEASE, OTHERS_LEASE),
                                "Granted 1",
                                "when there is room " + WATCH_QUEUE),
                row("R14 a heartbeat that is younger than two thirds of the lease will do")
                        .given(FIRST_IN_QUEUE.provenAt(ago(1_332)))
                        .when(recordRead(held(ME, 30)))
                        .then(
                                leadingNow().provenAt(ago(1_332)).leases(OTHERS_LEASE, OTHERS_LEASE),
                                "Granted 1",
                                "when there is room " + WATCH_QUEUE,
                                HEARTBEAT),
                row("R14 a heartbeat that is older than two thirds of the lease will not do")
                        .given(FIRST_IN_QUEUE.provenAt(ago(1_333)))
                        .when(recordRead(held(ME, 30)))
                        .then(named().provenAt(ago(1_333)).listed(ME, AFTER), HEARTBEAT),
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
                                leadingNow().succession(NO_HEIR).leases(OTHERS_LEASE, OTHERS_LEASE),
                                "Granted 1",
                                "when there is room " + WATCH_QUEUE),
                row("R16 a record that names another node with our GUID does not name us")
                        .given(CONFIRMED.provenAt(RECENTLY))
                        .when(recordRead(held(OLDER_TWIN, TOKEN)))
                        .then(
                                awaitingLeaseEnd(2_200)
                                        .provenAt(RECENTLY)
                                        .awaiting(NEXT)
                                        .listed(ME, AFTER),
                                WATCH_RECORD,
                                "Wake +2200ms"));
    }

    @TestFactory
    Stream<DynamicTest> theSecondList() {
        return table(
                row("R28 a first candidate lists again if the record's holder is not listed: it may have joined since")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(held(BEFORE, TOKEN)))
                        .then(evaluating().awaiting(NEXT).confirming(RECORD), READ_ALL),
                row("R28 a second list that shows the holder makes us follow it")
                        .given(CONFIRMED)
                        .when(recordRead(heldWithOtherHeir(AFTER)))
                        .then(
                                following().awaiting(NEXT).behind(new Predecessor(path(AFTER))),
                                "PREDECESSOR Get " + AFTER + " watch"),
                row("R28 a second list says nothing about a record that has changed since the first one")
                        .given(FIRST_IN_QUEUE.confirming(new Claim(VERSION - 1, TOKEN, OTHERS_LEASE)))
                        .when(recordRead(held(BEFORE, TOKEN)))
                        .then(evaluating().awaiting(NEXT).confirming(RECORD), READ_ALL),
                row("R22 R28 what was seen of the holder's heartbeat still counts after the second list")
                        .given(AFTER_PREDECESSOR)
                        .heartbeatSeen(2_000)
                        .when(recordRead(held(BEFORE, TOKEN)))
                        .then(evaluating().awaiting(NEXT).last(OTHER).confirming(RECORD), READ_ALL),
                row("R28 an earlier wait still counts after the second list")
                        .given(evaluating()
                                .listed(ME)
                                .waited(awaitingLeaseEnd(1_000).claim(new Claim(3, 20, OTHERS_LEASE))))
                        .when(recordRead(held(BEFORE, TOKEN)))
                        .then(
                                evaluating()
                                        .awaiting(NEXT)
                                        .waited(awaitingLeaseEnd(1_000).claim(new Claim(3, 20, OTHERS_LEASE)))
                                        .confirming(RECORD),
                                READ_ALL));
    }

    @TestFactory
    Stream<DynamicTest> theHeir() {
        var verifying = evaluating().verifying(following()).listed(BEFORE, ME);
        return table(
                row("an heir follows the holder, not its predecessor, and keeps its node proven")
                        .given(evaluating().listed(FIRST, BEFORE, ME))
                        .when(recordRead(heldWithHeir(FIRST)))
                        .then(
                                following().asHeir().awaiting(NEXT).behind(new Predecessor(path(FIRST))),
                                "PREDECESSOR Get " + FIRST + " watch",
                                HEARTBEAT),
                row("an heir follows a holder that stands behind it in the queue")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(heldWithHeir(AFTER)))
                        .then(
                                following().asHeir().awaiting(NEXT).behind(new Predecessor(path(AFTER))),
                                "PREDECESSOR Get " + AFTER + " watch",
                                HEARTBEAT),
                row("a follower of a holder without an heir takes that place: the holder may have crashed while it was alone")
                        .given(SECOND_IN_QUEUE)
                        .when(recordRead(held(BEFORE, TOKEN)))
                        .then(following().asHeir().awaiting(NEXT).behind(OTHER_UNREAD), WATCH_PREDECESSOR, HEARTBEAT),
                row("a first candidate takes that place if the last one holds the record")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(held(AFTER, TOKEN)))
                        .then(
                                following().asHeir().awaiting(NEXT).behind(new Predecessor(path(AFTER))),
                                "PREDECESSOR Get " + AFTER + " watch",
                                HEARTBEAT),
                row("a candidate further behind does not, so that the holder's heartbeats wake one connection")
                        .given(evaluating().listed(FIRST, BEFORE, ME))
                        .when(recordRead(held(FIRST, TOKEN)))
                        .then(following().awaiting(NEXT).behind(OTHER_UNREAD), WATCH_PREDECESSOR),
                row("an heir that is first lists again if the holder is gone (R28)")
                        .given(evaluating().listed(ME))
                        .when(recordRead(heldWithHeir(BEFORE)))
                        .then(evaluating().awaiting(NEXT).confirming(RECORD), READ_ALL),
                row("an heir that is not first follows its predecessor if the holder is gone")
                        .given(evaluating().listed(FIRST, ME))
                        .when(recordRead(heldWithHeir(BEFORE)))
                        .then(
                                following()
                                        .awaiting(NEXT)
                                        .behind(new Predecessor(path(FIRST)))
                                        .idleSince(NOW),
                                "PREDECESSOR Get " + FIRST + " watch"),
                row("a follower that turns out to be the heir of its predecessor begins to wait for its silence")
                        .given(verifying)
                        .when(recordRead(heldWithHeir(BEFORE)))
                        .then(following().asHeir().awaiting(NEXT), "Wake +500ms"),
                row("R11 a verified heir goes on waiting for the holder's silence, from its last sighting")
                        .given(evaluating().verifying(following().asHeir()).listed(BEFORE, ME))
                        .heartbeatSeen(300)
                        .when(recordRead(heldWithHeir(BEFORE)))
                        .then(following().asHeir().awaiting(NEXT), "Wake +1900ms"),
                row("R29 a verified heir takes over if the holder has been silent for long enough")
                        .given(evaluating().verifying(following().asHeir()).listed(BEFORE, ME))
                        .heartbeatSeen(2_200)
                        .when(recordRead(heldWithHeir(BEFORE)))
                        .then(takingOver().awaiting(NEXT + 1).sentAt(NOW), TAKE_OVER),
                row("a verified follower that is no longer the heir only follows")
                        .given(evaluating().verifying(following().asHeir()).listed(BEFORE, ME))
                        .heartbeatSeen(300)
                        .when(recordRead(heldWithOtherHeir(BEFORE)))
                        .then(following().awaiting(NEXT)),
                row("an heir that was refused remembers that as long as it follows the same holder (F82)")
                        .given(evaluating()
                                .verifying(following().asHeir().behind(OTHER.inviolable()))
                                .listed(BEFORE, ME))
                        .heartbeatSeen(5_000)
                        .when(recordRead(heldWithHeir(BEFORE)))
                        .then(following().asHeir().awaiting(NEXT).behind(OTHER.inviolable())));
    }

    @TestFactory
    Stream<DynamicTest> theToken() {
        return table(
                row("R25 the token of a claim is greater than the record's, also where that is ahead of its zxid (I7)")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(record(LeaderRecord.released(80, OTHERS_LEASE), 75)))
                        .then(
                                claimingNow()
                                        .claim(new Claim(VERSION, 81, OTHERS_LEASE))
                                        .listed(ME, AFTER),
                                "CLAIM Multi(Check " + ME + ", Set leader v4 HELD " + ME + " 81 3000, Set beat v-1)"),
                row("R25 the token of a claim is greater than the zxid of the record, whoever wrote that (I7)")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(record(LeaderRecord.released(20, OTHERS_LEASE), 75)))
                        .then(
                                claimingNow()
                                        .claim(new Claim(VERSION, 76, OTHERS_LEASE))
                                        .listed(ME, AFTER),
                                "CLAIM Multi(Check " + ME + ", Set leader v4 HELD " + ME + " 76 3000, Set beat v-1)"),
                row("R25 the token of a take-over is greater than the holder's (I7)")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(record(LeaderRecord.held(AFTER, ME, 80, OTHERS_LEASE), 75)))
                        .then(
                                new Following(
                                        following().ownNode(),
                                        NEXT,
                                        new Predecessor(path(AFTER)),
                                        null,
                                        new Claim(VERSION, 81, OTHERS_LEASE)),
                                "PREDECESSOR Get " + AFTER + " watch",
                                HEARTBEAT),
                row("R25 a candidate that is named takes its token from the very reading that names it (I7)")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(record(LeaderRecord.held(ME, AFTER, 80, OTHERS_LEASE), 75)))
                        .then(named().listed(ME, AFTER).holding(VERSION, 80).withHeir(AFTER), HEARTBEAT),
                row("R25 the claim of a new election, whose reply was lost, has its zxid as its token (F66)")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(record(LeaderRecord.held(ME, 0, OTHERS_LEASE), 75)))
                        .then(named().listed(ME, AFTER).holding(VERSION, 75), HEARTBEAT));
    }

    @TestFactory
    Stream<DynamicTest> aLaterVersion() {
        Reply newer = newer();
        String told =
                "Cannot lead: /e/orders/leader was written by a later version of this library. Update this instance";
        return table(
                row("a first candidate does not claim the record of a later version, and reports that")
                        .given(FIRST_IN_QUEUE)
                        .when(recordRead(newer))
                        .then(FIRST_IN_QUEUE.record(newer), "Failed ElectionException", PAUSE)
                        .failures(1),
                row("a record of a later version is reported once, and read again less and less often")
                        .given(FIRST_IN_QUEUE)
                        .error(told)
                        .failures(1)
                        .when(recordRead(newer))
                        .then(FIRST_IN_QUEUE.record(newer), "Wake +500ms")
                        .failures(2),
                row("a record of a later version does not keep a candidate from following")
                        .given(evaluating().listed(FIRST, BEFORE, ME))
                        .when(recordRead(newer))
                        .then(following().awaiting(NEXT).behind(OTHER_UNREAD), WATCH_PREDECESSOR));
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
        var wait = awaitingLeaseEnd(9_900).awaiting(NEXT).claim(NO_RECORD);
        var claim = claimingNow().claim(NO_RECORD);
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
                        .when(recordRead(heldWithOtherHeir(BEFORE)))
                        .then(following().awaiting(NEXT)),
                row("a follower that finds another predecessor watches that one, since a watch did not report it")
                        .given(verifying.listed(FIRST, ME))
                        .when(recordRead(heldWithOtherHeir(FIRST)))
                        .then(
                                following().awaiting(NEXT).behind(new Predecessor(path(FIRST))),
                                "CLEAN_UP RemoveWatches " + BEFORE,
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
                                        .behind(new Predecessor(path(FIRST)))
                                        .idleSince(NOW),
                                "CLEAN_UP RemoveWatches " + BEFORE,
                                "PREDECESSOR Get " + FIRST + " watch"),
                row("a follower whose own watch was removed meanwhile sets all of them again")
                        .given(evaluating()
                                .unarmed()
                                .verifying(following().unarmed())
                                .listed(BEFORE, ME))
                        .when(recordRead(heldWithOtherHeir(BEFORE)))
                        .then(
                                following().unarmed().awaiting(NEXT).behind(OTHER_UNWATCHED),
                                WATCH_PREDECESSOR,
                                WATCH_OWN_NODE,
                                HEARTBEAT),
                row("a follower whose own watch could not be set before watches its predecessor again (F57)")
                        .given(evaluating().verifying(following().unarmed()).listed(BEFORE, ME))
                        .when(recordRead(heldWithOtherHeir(BEFORE)))
                        .then(following().awaiting(NEXT).behind(OTHER_UNWATCHED), WATCH_PREDECESSOR));
    }
}
