package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.List;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class LeadingTests {

    private static final String[] SET_ALL_WATCHES = {WATCH_OWN_NODE, WATCH_QUEUE, READ_RECORD};

    @TestFactory
    Stream<DynamicTest> theDeletedRecord() {
        Event withoutRecord =
                replied(Purpose.LIST, new Request.Children(ELECTION, true), Reply.children(List.of(ME, AFTER)));
        return table(
                row("R38 a leader whose record is not listed writes it again (F64)")
                        .given(leading())
                        .when(withoutRecord)
                        .then(
                                leading().holding(Integer.MIN_VALUE, TOKEN),
                                "RESTORE Multi(Check " + ME + ", Create leader PERSISTENT HELD " + ME + " 30 3000)")
                        .queueWatched(true),
                row("R38 whatever the answer is, it reads the record, which may name another candidate by now")
                        .given(leading())
                        .when(replied(Purpose.RESTORE, Code.NODEEXISTS))
                        .then(leading(), READ_RECORD));
    }

    @TestFactory
    Stream<DynamicTest> theLease() {
        return table(
                row("R1 an acknowledged heartbeat renews the lease from the moment at which it was sent")
                        .given(leading())
                        .when(acknowledged(ago(50)))
                        .then(leading().provenAt(ago(50))),
                row("an acknowledged heartbeat renews the lease, and nothing is announced")
                        .given(leading())
                        .when(acknowledged(NOW))
                        .then(leading().provenAt(NOW)),
                row("a heartbeat that is acknowledged late renews the lease as well")
                        .given(leading().provenAt(ago(2_900)))
                        .when(acknowledged(ago(2_000)))
                        .then(leading().provenAt(ago(2_000))),
                row("R3 an acknowledged heartbeat proves nothing while the own node's watch is not set (F70)")
                        .given(leading().unarmed())
                        .when(acknowledged(NOW))
                        .thenNothing(),
                row("a heartbeat that is acknowledged after the lease ended does not revive the term (F10)")
                        .given(leading().provenAt(LONG_AGO))
                        .when(acknowledged(NOW))
                        .then(
                                evaluating().provenAt(LONG_AGO).awaiting(NEXT),
                                "Revoked 3 LEASE_EXPIRED 1000ms ago",
                                READ_ALL)
                        .formerNode(ME),
                row("a leader whose lease ends is revoked, and looks whether another term may begin")
                        .given(leading().provenAt(LONG_AGO))
                        .when(new Event.Lapsed(3))
                        .then(
                                evaluating().provenAt(LONG_AGO).awaiting(NEXT),
                                "Revoked 3 LEASE_EXPIRED 1000ms ago",
                                READ_ALL)
                        .formerNode(ME),
                row("a leader whose lease ends while it is disconnected is revoked, and keeps its node (F1)")
                        .given(leading().provenAt(LONG_AGO))
                        .disconnected()
                        .when(new Event.Lapsed(3))
                        .then(detached().armed().provenAt(LONG_AGO), "Revoked 3 CONNECTION_LOST 1000ms ago")
                        .formerNode(ME),
                row("a leader whose pause has outlasted its session is told that its lease has expired, which came first")
                        .given(leading().provenAt(LONG_AGO))
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST), "Revoked 3 LEASE_EXPIRED 1000ms ago")
                        .formerNode(ME),
                row("a leader whose pause has outlasted its lease is told that, and not that it lost its connection then")
                        .given(leading().provenAt(LONG_AGO))
                        .disconnected()
                        .when(new Event.Disconnected(true))
                        .then(detached().provenAt(LONG_AGO), "Revoked 3 LEASE_EXPIRED 1000ms ago")
                        .formerNode(ME),
                row("a leader whose lease ends together with many others looks when there is room")
                        .given(leading().provenAt(LONG_AGO))
                        .withoutRoom()
                        .when(new Event.Lapsed(3))
                        .then(
                                detached().armed().provenAt(LONG_AGO).awaiting(NEXT),
                                "Revoked 3 LEASE_EXPIRED 1000ms ago",
                                "WakeWhenThereIsRoom")
                        .formerNode(ME),
                row("the end of an earlier term's lease does nothing")
                        .given(leading())
                        .when(new Event.Lapsed(2))
                        .thenNothing(),
                row("a term that was led ends a series of failures")
                        .given(leading().provenAt(LONG_AGO))
                        .failures(2)
                        .disconnected()
                        .when(new Event.Lapsed(3))
                        .then(detached().armed().provenAt(LONG_AGO), "Revoked 3 CONNECTION_LOST 1000ms ago")
                        .formerNode(ME)
                        .failures(0));
    }

    @TestFactory
    Stream<DynamicTest> aChangedLease() {
        return table(
                row("a lease that becomes shorter takes effect with the next heartbeat (F61)")
                        .given(leading())
                        .lease(1_000)
                        .when(acknowledged(ago(499)))
                        .then(leading().provenAt(ago(499)).leases(LEASE, 1_000)),
                row("a shorter lease waits for a heartbeat that leaves time for the next one (F61)")
                        .given(leading().provenAt(ago(900)))
                        .lease(1_000)
                        .when(acknowledged(ago(500)))
                        .thenNothing(),
                row("R15 a lease that becomes longer is not longer than the record's (F61)")
                        .given(leading().leases(LEASE, 1_000))
                        .lease(10_000)
                        .when(acknowledged(ago(50)))
                        .then(leading().provenAt(ago(50)).leases(LEASE, LEASE)));
    }

    @TestFactory
    Stream<DynamicTest> theGrace() {
        return table(
                row("a renewed lease ends before the record's by the grace (F88)")
                        .given(leading().leases(LEASE, 2_500))
                        .grace(500)
                        .when(acknowledged(ago(50)))
                        .then(leading().provenAt(ago(50)).leases(LEASE, 2_500)),
                row("a leader whose lease less the grace is over leads no more, although the record's lease is not (F88)")
                        .given(leading().leases(LEASE, 2_500).provenAt(ago(2_600)))
                        .grace(500)
                        .when(acknowledged(NOW))
                        .then(
                                evaluating().provenAt(ago(2_600)).awaiting(NEXT),
                                "Revoked 3 LEASE_EXPIRED 100ms ago",
                                READ_ALL)
                        .formerNode(ME));
    }

    @TestFactory
    Stream<DynamicTest> theWatchOnTheOwnNode() {
        return table(
                row("a leader whose node is watched late sends a heartbeat at once")
                        .given(leading().unarmed().provenAt(ago(2_100)))
                        .queueWatched()
                        .when(ownNodeRead(candidate(SESSION)))
                        .then(leading().provenAt(ago(2_100)), HEARTBEAT),
                row("a leader whose node is watched in time waits for the next heartbeat")
                        .given(leading().unarmed().provenAt(ago(1_999)))
                        .when(ownNodeRead(candidate(SESSION)))
                        .then(leading().provenAt(ago(1_999))),
                row("a rejected authentication is for the connection to report, not for a watch (F56)")
                        .given(leading().unarmed())
                        .when(ownNodeRead(Reply.of(Code.AUTHFAILED)))
                        .thenNothing(),
                row("R35 a change of its node uses up the watch, which is set again (F52)")
                        .given(leading())
                        .when(changed(ME, EventType.NodeDataChanged))
                        .then(leading().unarmed(), WATCH_OWN_NODE),
                row("R35 a leader that was touched before does not look again when its watch is set")
                        .given(leading().unarmed())
                        .when(ownNodeRead(ownNodeInVersion(DATA_VERSION + 1)))
                        .then(leading().dataVersion(DATA_VERSION + 1)),
                row("a leader whose node goes leads no more, and asks why (F9)")
                        .given(leading())
                        .when(deleted(ME))
                        .then(nodeLost(3).provenAt(RECENTLY).awaiting(NEXT), READ_ELECTION, READ_RECORD)
                        .formerNode(ME),
                row("a leader that learns of the loss of its node without a connection is revoked at once")
                        .given(leading())
                        .disconnected()
                        .when(deleted(ME))
                        .then(nodeLost(0).provenAt(RECENTLY).awaiting(NO_REQUEST), "Revoked 3 SESSION_EXPIRED")
                        .formerNode(ME),
                row("a timer does nothing while there is nothing to do")
                        .given(leading())
                        .queueWatched()
                        .when(woken())
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> theConnection() {
        return table(
                row("a leader that loses its connection goes on within its lease")
                        .given(leading())
                        .queueWatched()
                        .when(new Event.Disconnected(true))
                        .thenNothing(),
                row("R3 a watch that the client will not set again is not set (F70)")
                        .given(leading())
                        .queueWatched()
                        .when(new Event.Disconnected(false))
                        .then(leading().unarmed())
                        .queueWatched(false),
                row("a leader that reconnects in time sends a heartbeat, and verifies its watches when it is convenient")
                        .given(leading())
                        .queueWatched()
                        .when(connected())
                        .then(leading(), HEARTBEAT, "when there is room " + WATCH_OWN_NODE, "at leisure " + READ_ALL),
                row("a leader that reconnects in time without a watch on the queue sets one soon")
                        .given(leading())
                        .when(connected())
                        .then(
                                leading(),
                                HEARTBEAT,
                                "when there is room " + WATCH_OWN_NODE,
                                "when there is room " + WATCH_QUEUE,
                                "at leisure " + READ_ALL),
                row("R3 a leader that reconnects without a watch on its node sets it before the heartbeat (F70)")
                        .given(leading().unarmed())
                        .when(connected())
                        .then(
                                leading().unarmed(),
                                WATCH_OWN_NODE,
                                HEARTBEAT,
                                "when there is room " + WATCH_QUEUE,
                                "at leisure " + READ_ALL),
                row("a leader whose session expires is revoked, and waits for a new one")
                        .given(leading())
                        .queueWatched()
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST), "Revoked 3 SESSION_EXPIRED")
                        .formerNode(ME)
                        .queueWatched(false));
    }

    @TestFactory
    Stream<DynamicTest> rechecks() {
        return table(
                row("a leader without a watch on the queue sets all watches, and reads what they would report")
                        .given(leading())
                        .when(recheck())
                        .then(leading().unarmed(), SET_ALL_WATCHES),
                row("a leader without a watch on its node sets all watches, and reads what they would report")
                        .given(leading().unarmed())
                        .queueWatched()
                        .when(recheck())
                        .then(leading().unarmed(), SET_ALL_WATCHES),
                row("a leader that does not know its heir sets all watches, and reads what they would report")
                        .given(leading().succession(Succession.UNKNOWN))
                        .queueWatched()
                        .when(recheck())
                        .then(leading().unarmed().succession(Succession.UNKNOWN), SET_ALL_WATCHES),
                row("R27 a leader whose watches are set verifies its place when it is convenient")
                        .given(leading())
                        .queueWatched()
                        .when(recheck())
                        .then(leading(), "at leisure LIST Children orders + RECORD Get leader"),
                row("a verified leader goes on, and sends nothing")
                        .given(leading())
                        .queueWatched()
                        .when(listed(ME, AFTER))
                        .thenNothing(),
                row("a leader that finds another number of candidates sets all watches again, since one did not report it")
                        .given(leading())
                        .queueWatched()
                        .when(listed(ME, AFTER, LAST))
                        .then(leading().unarmed().succession(three(AFTER, LAST)), SET_ALL_WATCHES),
                row("a leader that finds another candidate while it lists the queue anyway only reads that")
                        .given(leading())
                        .when(listed(ME, AFTER, LAST))
                        .then(leading().succession(three(AFTER, LAST)), "NEXT Get " + LAST),
                row("a leader that finds its own node gone leads no more, and asks why")
                        .given(leading())
                        .queueWatched()
                        .when(listed(AFTER))
                        .then(nodeLost(3).provenAt(RECENTLY).awaiting(NEXT), READ_ELECTION, READ_RECORD)
                        .formerNode(ME));
    }

    @TestFactory
    Stream<DynamicTest> theQueue() {
        return table(
                row("a leader lists the candidates when they change")
                        .given(leading())
                        .when(candidatesChanged())
                        .then(leading(), WATCH_QUEUE),
                row("a list that sets the watch shows the heir")
                        .given(leading().succession(Succession.UNKNOWN))
                        .when(listedWithWatch(ME, AFTER))
                        .then(leading().succession(HEIR))
                        .queueWatched(true),
                row("a leader that is not in the list has lost its node")
                        .given(leading())
                        .when(listedWithWatch(AFTER))
                        .then(nodeLost(3).provenAt(RECENTLY).awaiting(NEXT), READ_ELECTION, READ_RECORD)
                        .formerNode(ME)
                        .queueWatched(true),
                row("a leader without an election node has lost its own")
                        .given(leading())
                        .when(replied(Purpose.LIST, Code.NONODE))
                        .then(nodeLost(3).provenAt(RECENTLY).awaiting(NEXT), READ_ELECTION, READ_RECORD)
                        .formerNode(ME),
                row("R26 a leader deletes a twin of its node, which must never lead (F69)")
                        .given(leading())
                        .queueWatched()
                        .when(listed(ME, AFTER, OLDER_TWIN))
                        .then(
                                leading().unarmed().succession(three(AFTER, OLDER_TWIN)),
                                "DeleteOrphan " + OLDER_TWIN,
                                WATCH_OWN_NODE,
                                WATCH_QUEUE,
                                READ_RECORD),
                row("a lost reply says nothing about the queue")
                        .given(leading())
                        .when(replied(Purpose.LIST, Code.CONNECTIONLOSS))
                        .thenNothing());
    }

    private static Succession three(String heir, String next) {
        return new Succession(3, heir, heir, next, null, false, null);
    }

    @TestFactory
    Stream<DynamicTest> theRecord() {
        return table(
                row("a record that names the leader is as it should be")
                        .given(leading())
                        .when(recordRead(record(LeaderRecord.held(ME, AFTER, TOKEN, LEASE), TOKEN)))
                        .thenNothing(),
                row("R25 a leader goes by what its record says now, but keeps the token of its term")
                        .given(leading().holding(VERSION - 1, TOKEN))
                        .when(recordRead(record(LeaderRecord.held(ME, BEFORE, TOKEN + 9, OTHERS_LEASE), 75)))
                        .then(leading().leases(OTHERS_LEASE, LEASE).appointed(BEFORE)),
                row("a leader whose record was overwritten by a later version leads no more")
                        .given(leading())
                        .when(recordRead(newer()))
                        .then(evaluating().provenAt(RECENTLY).awaiting(NEXT), "Revoked 3 NODE_LOST", READ_ALL)
                        .formerNode(ME),
                row("a leader whose record was overwritten is revoked, and claims afresh")
                        .given(leading())
                        .when(recordRead(held(BEFORE, 30)))
                        .then(evaluating().provenAt(RECENTLY).awaiting(NEXT), "Revoked 3 NODE_LOST", READ_ALL)
                        .formerNode(ME),
                row("a leader whose record cannot be understood is revoked, and claims afresh")
                        .given(leading())
                        .when(recordRead(data(new byte[0], 80)))
                        .then(evaluating().provenAt(RECENTLY).awaiting(NEXT), "Revoked 3 NODE_LOST", READ_ALL)
                        .formerNode(ME),
                row("a leader whose election has ended is revoked, and drains to acknowledge it (F67)")
                        .given(leading())
                        .when(recordRead(ended(80)))
                        .then(
                                leaving(AfterLeaving.END)
                                        .provenAt(RECENTLY)
                                        .undrained(3)
                                        .draining(),
                                "Revoked 3 ENDED",
                                "Ended",
                                "Drain 3")
                        .formerNode(ME),
                row("a lost reply says nothing about the record")
                        .given(leading())
                        .when(replied(Purpose.RECORD, Code.CONNECTIONLOSS))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> theEndOfTheTerm() {
        return table(
                row("R18 R20 a leader that resigns is revoked and drains; nothing is sent yet (F31)")
                        .given(leading())
                        .when(leave(AfterLeaving.CLOSE))
                        .then(
                                leaving(AfterLeaving.CLOSE)
                                        .provenAt(RECENTLY)
                                        .undrained(3)
                                        .draining(leading()),
                                "Revoked 3 RESIGNED",
                                "Drain 3")
                        .formerNode(ME),
                row("R18 R20 a leader that steps down is revoked and drains; nothing is sent yet (F31)")
                        .given(leading())
                        .when(new Event.Leave(RevocationReason.STEPPED_DOWN, AfterLeaving.REJOIN))
                        .then(
                                leaving(AfterLeaving.REJOIN)
                                        .provenAt(RECENTLY)
                                        .undrained(3)
                                        .draining(leading()),
                                "Revoked 3 STEPPED_DOWN",
                                "Drain 3")
                        .formerNode(ME),
                row("a leader whose listener refuses the term gives up and drains (F46)")
                        .given(leading())
                        .failures(2)
                        .when(new Event.Refused(3))
                        .then(
                                leaving(AfterLeaving.PAUSE)
                                        .provenAt(RECENTLY)
                                        .undrained(3)
                                        .draining(leading()),
                                "Revoked 3 LISTENER_FAILED",
                                "Drain 3")
                        .formerNode(ME),
                row("R36 a leader whose heartbeat is lost is revoked, drains and hands over (F75)")
                        .given(leading())
                        .when(rejoin())
                        .then(
                                leaving(AfterLeaving.REJOIN)
                                        .provenAt(RECENTLY)
                                        .undrained(3)
                                        .draining(leading()),
                                "Revoked 3 NODE_LOST",
                                "Drain 3")
                        .formerNode(ME),
                row("R20 a leader whose session is replaced is revoked, and drains before anything is deleted (F92)")
                        .given(leading())
                        .when(new Event.Rejoin(RevocationReason.SESSION_EXPIRED))
                        .then(
                                leaving(AfterLeaving.REJOIN)
                                        .provenAt(RECENTLY)
                                        .undrained(3)
                                        .draining(leading()),
                                "Revoked 3 SESSION_EXPIRED",
                                "Drain 3")
                        .formerNode(ME),
                row("a leader that leaves after its lease was over tells when that ended")
                        .given(leading().provenAt(LONG_AGO))
                        .when(leave(AfterLeaving.CLOSE))
                        .then(
                                leaving(AfterLeaving.CLOSE)
                                        .provenAt(LONG_AGO)
                                        .undrained(3)
                                        .draining(leading().provenAt(LONG_AGO)),
                                "Revoked 3 RESIGNED 1000ms ago",
                                "Drain 3")
                        .formerNode(ME),
                row("a listener that refused an earlier term does nothing")
                        .given(leading())
                        .when(new Event.Refused(2))
                        .thenNothing());
    }

    @Test
    void leadsOnlyWithinTheLeaseOfTheLastProof() {
        Leading leading = leading().provenAt(ago(LEASE - 1)).build();

        assertThat(leading.isValid(NOW)).isTrue();
        assertThat(leading.leaseEnd()).isEqualTo(NOW.nanos() + 1_000_000);
        assertThat(leading().provenAt(ago(LEASE)).build().isValid(NOW)).isFalse();
    }

    @Test
    void leadsNeverWithoutProof() {
        Leading leading = leading().provenAt(null).build();

        assertThat(leading.isValid(NOW)).isFalse();
        assertThatIllegalStateException().isThrownBy(leading::leaseEnd);
    }
}
