package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class NamedTests {

    private static final String[] LEADS = {"Granted 1", "when there is room " + WATCH_QUEUE};

    @TestFactory
    Stream<DynamicTest> theProof() {
        var named = named().granted(LEASE);
        return table(
                row("R14 a named candidate leads once a heartbeat has proven its node")
                        .given(named)
                        .when(acknowledged(RECENTLY))
                        .then(leadingNow().succession(NO_HEIR), LEADS),
                row("R1 the lease of a named candidate runs from the moment at which the heartbeat was sent")
                        .given(named)
                        .when(acknowledged(ago(1_400)))
                        .then(
                                leadingNow().provenAt(ago(1_400)).succession(NO_HEIR),
                                "Granted 1",
                                "when there is room " + WATCH_QUEUE,
                                HEARTBEAT),
                row("R3 a heartbeat proves nothing while the own node's watch is not set (F70)")
                        .given(named.unarmed())
                        .when(acknowledged(RECENTLY))
                        .thenNothing(),
                row("R3 a heartbeat is sent once the own node's watch is set (F70)")
                        .given(named.unarmed())
                        .when(ownNodeRead(candidate(SESSION)))
                        .then(named, HEARTBEAT),
                row("R14 a heartbeat that was sent longer ago than a lease will not do; another one is sent")
                        .given(named)
                        .when(acknowledged(LONG_AGO))
                        .then(named.provenAt(LONG_AGO), HEARTBEAT),
                row("a proof that is older than a sixth of the lease is renewed at once")
                        .given(named)
                        .when(acknowledged(ago(500)))
                        .then(
                                leadingNow().provenAt(ago(500)).succession(NO_HEIR),
                                "Granted 1",
                                "when there is room " + WATCH_QUEUE,
                                HEARTBEAT));
    }

    @TestFactory
    Stream<DynamicTest> theListeners() {
        var named = named().granted(LEASE);
        return table(
                row("R40 a named candidate does not lead while a listener works for its last term (F89)")
                        .given(named)
                        .terms(2)
                        .unheard()
                        .when(acknowledged(RECENTLY))
                        .then(named.provenAt(RECENTLY)),
                row("R40 it leads when all listeners have returned (F89)")
                        .given(named.provenAt(RECENTLY))
                        .terms(2)
                        .unheard()
                        .when(heard(2))
                        .then(
                                leading().awaiting(NEXT).appointed("").succession(NO_HEIR),
                                "Granted 3",
                                "when there is room " + WATCH_QUEUE)
                        .heard(2),
                row("R40 a heartbeat is sent if its node has not been proven for long")
                        .given(named.provenAt(LONG_AGO))
                        .terms(2)
                        .unheard()
                        .when(heard(2))
                        .then(named.provenAt(LONG_AGO), HEARTBEAT)
                        .heard(2),
                row("R40 a candidate whose listener is busy for too long leaves the queue (F89)")
                        .given(named)
                        .terms(2)
                        .unheard()
                        .when(busy(2))
                        .then(leaving(AfterLeaving.REJOIN).undrained(2).draining(), "Drain 2"),
                row("a listener that has returned meanwhile costs nothing")
                        .given(named)
                        .terms(2)
                        .when(busy(2))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> theLease() {
        return table(
                row("R15 a candidate named by a record with a shorter lease goes by that (F63)")
                        .given(named().granted(1_000))
                        .when(acknowledged(RECENTLY))
                        .then(leadingNow().succession(NO_HEIR).leases(1_000, 1_000), LEADS),
                row("R15 a candidate named by a record with a longer lease goes by its own (F63)")
                        .given(named().granted(LEASE + 7_000))
                        .when(acknowledged(RECENTLY))
                        .then(leadingNow().succession(NO_HEIR).leases(LEASE + 7_000, LEASE), LEADS),
                row("a leader goes by its lease less the grace; the record's lease stays (F88)")
                        .given(named().granted(LEASE))
                        .grace(500)
                        .when(acknowledged(RECENTLY))
                        .then(leadingNow().succession(NO_HEIR).leases(LEASE, 2_500), LEADS),
                row("the grace is taken from the shorter lease (F88)")
                        .given(named().granted(1_000))
                        .grace(200)
                        .when(acknowledged(RECENTLY))
                        .then(leadingNow().succession(NO_HEIR).leases(1_000, 800), LEADS),
                row("a heartbeat that is older than the lease less the grace will not do (F88)")
                        .given(named().granted(LEASE))
                        .grace(500)
                        .when(acknowledged(ago(2_500)))
                        .then(named().granted(LEASE).provenAt(ago(2_500)), HEARTBEAT),
                row("R15 a heartbeat that is older than the shorter lease will not do (F63)")
                        .given(named().granted(1_000))
                        .when(acknowledged(ago(1_000)))
                        .then(named().granted(1_000).provenAt(ago(1_000)), HEARTBEAT));
    }

    @TestFactory
    Stream<DynamicTest> meanwhile() {
        return table(
                row("the next candidate is the heir of a named one")
                        .given(named().granted(LEASE).listed(ME, AFTER))
                        .when(acknowledged(RECENTLY))
                        .then(leadingNow().succession(HEIR), LEADS),
                row("a named candidate need not list a queue that is watched and known")
                        .given(named().granted(LEASE).listed(ME, AFTER))
                        .queueWatched()
                        .when(acknowledged(RECENTLY))
                        .then(
                                leadingNow()
                                        .succession(HEIR.appointing(new Succession.Appointment(AFTER, null, 0, null))),
                                "Granted 1",
                                READ_HEIR),
                row("a candidate that was named together with its heir need not appoint that")
                        .given(named().granted(LEASE).listed(ME, AFTER).withHeir(AFTER))
                        .queueWatched()
                        .when(acknowledged(RECENTLY))
                        .then(leadingNow().appointed(AFTER), "Granted 1"),
                row("a named candidate whose node goes asks why")
                        .given(named())
                        .when(deleted(ME))
                        .then(nodeLost(0).awaiting(NEXT), READ_ELECTION, READ_RECORD),
                row("a recheck looks again")
                        .given(named())
                        .when(recheck())
                        .then(evaluating().awaiting(NEXT), READ_ALL),
                row("a named candidate that loses its connection looks again when it is back")
                        .given(named())
                        .when(disconnected())
                        .then(detached()),
                row("a named candidate whose session expires waits for a new one")
                        .given(named())
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST)));
    }
}
