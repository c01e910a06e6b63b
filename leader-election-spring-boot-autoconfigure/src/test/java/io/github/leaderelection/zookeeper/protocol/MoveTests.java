package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.support.MoveCause;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.Succession.Appointment;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A leader that hands over because of a priority, to spread elections, or to the candidate that leads least. */
class MoveTests {

    private static final String SUPERIOR = "c-y.1.p5-0000000009";
    private static final String MORE = "c-z.1.p5-0000000011";
    private static final Succession TO_SUPERIOR = new Succession(2, SUPERIOR, SUPERIOR, null, null, false, null);
    private static final States.LeadingBuilder INFERIOR =
            leading().appointed(SUPERIOR).succession(TO_SUPERIOR);
    private static final Succession THREE = new Succession(3, AFTER, AFTER, null, null, false, null);

    private static Succession moving(Succession succession, MoveCause cause, String to) {
        return succession.appointing(new Appointment(to, null, 0, Move.of(cause, to)));
    }

    private static Event read(String node, Reply reply) {
        return replied(Purpose.HEIR, new Request.Get(path(node), false), reply);
    }

    /** The answer about the candidate, which has joined that many milliseconds ago. */
    private static Event joined(long millisAgo) {
        return superior(Reply.data(OTHERS_DATA, stat(0, 0, millisAgo)));
    }

    private static Event superior(Reply reply) {
        return replied(Purpose.SUPERIOR, new Request.Get(path(SUPERIOR), false), reply);
    }

    @TestFactory
    Stream<DynamicTest> preemption() {
        Event due = new Event.Preempt(SUPERIOR);
        var preempting = INFERIOR.succession(moving(TO_SUPERIOR, MoveCause.PRIORITY, SUPERIOR));
        return table(
                row("a leader asks how long a candidate of a higher priority has been there")
                        .given(leading().appointed(SUPERIOR))
                        .preemptAfter(2_000)
                        .when(listedWithWatch(ME, SUPERIOR))
                        .then(INFERIOR, "SUPERIOR Get " + SUPERIOR)
                        .queueWatched(true),
                row("one that has just joined waits")
                        .given(INFERIOR)
                        .preemptAfter(2_000)
                        .when(joined(0))
                        .then(INFERIOR, "PreemptAt " + SUPERIOR + " +2000ms"),
                row("the time that it has been there counts, under whichever leader")
                        .given(INFERIOR)
                        .preemptAfter(2_000)
                        .when(joined(500))
                        .then(INFERIOR, "PreemptAt " + SUPERIOR + " +1500ms"),
                row("that time is by the server's clock")
                        .given(INFERIOR)
                        .preemptAfter(2_000)
                        .serverAhead(-300)
                        .when(joined(500))
                        .then(INFERIOR, "PreemptAt " + SUPERIOR + " +1800ms"),
                row("one that has been there for long does not wait")
                        .given(INFERIOR)
                        .preemptAfter(2_000)
                        .when(joined(50_000))
                        .then(INFERIOR, "PreemptAt " + SUPERIOR + " +0ms"),
                row("a clock that was set back does not make it wait for longer")
                        .given(INFERIOR)
                        .preemptAfter(2_000)
                        .when(joined(-50_000))
                        .then(INFERIOR, "PreemptAt " + SUPERIOR + " +2000ms"),
                row("if it is unknown how long it has been there, it waits from now on")
                        .given(INFERIOR)
                        .preemptAfter(2_000)
                        .when(superior(Reply.of(Code.CONNECTIONLOSS)))
                        .then(INFERIOR, "PreemptAt " + SUPERIOR + " +2000ms"),
                row("one that is gone does not wait")
                        .given(INFERIOR)
                        .preemptAfter(2_000)
                        .when(superior(NO_NODE))
                        .thenNothing(),
                row("it does not begin to wait again when the queue changes")
                        .given(INFERIOR)
                        .preemptAfter(2_000)
                        .when(listedWithWatch(ME, SUPERIOR))
                        .thenNothing()
                        .queueWatched(true),
                row("a leader of the same priority does not wait for anything")
                        .given(leading().appointed(SUPERIOR))
                        .priority(5)
                        .preemptAfter(2_000)
                        .when(listedWithWatch(ME, SUPERIOR))
                        .then(INFERIOR)
                        .queueWatched(true),
                row("a leader that has waited appoints the candidate of the higher priority in order to hand over")
                        .given(INFERIOR)
                        .preemptAfter(2_000)
                        .when(due)
                        .then(preempting, "HEIR Get " + SUPERIOR),
                row("where elections are spread, it takes the one of these that leads least")
                        .given(INFERIOR)
                        .preemptAfter(2_000)
                        .receiver(MORE)
                        .when(due)
                        .then(INFERIOR.succession(moving(TO_SUPERIOR, MoveCause.PRIORITY, MORE)), "HEIR Get " + MORE),
                row("a candidate that is no longer the heir does not pre-empt")
                        .given(leading())
                        .preemptAfter(2_000)
                        .when(due)
                        .thenNothing(),
                row("a leader whose priority is the same is not pre-empted")
                        .given(INFERIOR)
                        .priority(5)
                        .preemptAfter(2_000)
                        .when(due)
                        .thenNothing(),
                row("R39 a term that a client has asked for is not pre-empted")
                        .given(INFERIOR.requested())
                        .preemptAfter(2_000)
                        .when(due)
                        .thenNothing(),
                row("a leader that is appointing another heir tries again later")
                        .given(preempting)
                        .preemptAfter(2_000)
                        .when(due)
                        .then(preempting, "PreemptAt " + SUPERIOR + " +1000ms"),
                row("a candidate that does not lead ignores it")
                        .given(following())
                        .preemptAfter(2_000)
                        .when(due)
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> spreading() {
        var leader = leading().succession(THREE);
        var begun = leading().succession(moving(THREE, MoveCause.SPREAD, LAST));
        var named = leading()
                .succession(
                        THREE.appointing(new Appointment(LAST, null, 0, new Move(MoveCause.SPREAD, LAST, "other"))));
        var ready = named.holding(VERSION + 1, TOKEN).appointed(LAST);
        return table(
                row("a leader appoints the candidate that leads fewer elections in order to hand over")
                        .given(leader)
                        .when(new Event.Spread(LAST))
                        .then(begun, "HEIR Get " + LAST),
                row("R17 the appointment compares the record's version")
                        .given(begun)
                        .when(read(LAST, candidate(OTHERS_SESSION)))
                        .then(
                                named,
                                "APPOINT Multi(Set " + LAST + " v2, Set leader v4 HELD " + ME + " heir " + LAST
                                        + " 30 3000)"),
                row("a candidate that is appointed has a moment to follow the leader")
                        .given(named)
                        .when(replied(Purpose.APPOINT, Code.OK))
                        .then(ready, "Wake +80ms"),
                row("without a connection a leader leads on")
                        .given(ready)
                        .disconnected()
                        .when(woken())
                        .then(ready.succession(THREE)),
                row("R18 R20 then the leader is revoked, and drains before it hands over")
                        .given(ready)
                        .when(woken())
                        .then(
                                leaving(AfterLeaving.REJOIN)
                                        .moving(MoveCause.SPREAD, LAST)
                                        .provenAt(RECENTLY)
                                        .undrained(3)
                                        .draining(ready.succession(THREE), THREE.planFor(LAST, AFTER, CONFIG, null)),
                                "Revoked 3 HANDED_OVER",
                                "Drain 3")
                        .formerNode(ME),
                row("a candidate that is gone is not given anything, and the leader leads on")
                        .given(begun)
                        .when(read(LAST, NO_NODE))
                        .then(leader),
                row("R39 a term that a client has asked for is not moved")
                        .given(leader.requested())
                        .when(new Event.Spread(LAST))
                        .thenNothing(),
                row("R39 an appointment keeps the mark of a term that a client has asked for")
                        .given(begun.requested())
                        .when(read(LAST, candidate(OTHERS_SESSION)))
                        .then(
                                named.requested(),
                                "APPOINT Multi(Set " + LAST + " v2, Set leader v4 HELD " + ME + " heir " + LAST
                                        + " 30 3000 requested)"),
                row("a leader that is asked to hand over carries out the request instead")
                        .given(leading().succession(new Succession(3, AFTER, AFTER, null, null, true, null)))
                        .when(new Event.Spread(LAST))
                        .thenNothing(),
                row("a leader that has lost its place gives nothing")
                        .given(following())
                        .when(new Event.Spread(LAST))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> leavingWhereElectionsAreSpread() {
        var leader = leading().succession(THREE);
        var drain = leaving(AfterLeaving.CLOSE).provenAt(RECENTLY).undrained(3);
        var toLast = THREE.planFor(LAST, AFTER, CONFIG, new Request.Set(path(LAST), OTHERS_DATA, -1));
        String handOver = "HAND_OVER Multi(Delete " + ME + ", Check " + LAST + ", Check " + AFTER + ", Set " + LAST
                + " v-1, Set leader v4 HELD " + LAST + " heir " + AFTER + " 31 3000)";
        return table(
                row("a leader that leaves reads the node of the candidate that leads least while it drains")
                        .given(leader)
                        .receiver(LAST)
                        .when(leave(AfterLeaving.CLOSE))
                        .then(drain.reading(NEXT, leader), "Revoked 3 RESIGNED", "Drain 3", "HEIR Get " + LAST)
                        .formerNode(ME),
                row("a leader whose heir leads least has nothing to read")
                        .given(leader)
                        .receiver(AFTER)
                        .when(leave(AfterLeaving.CLOSE))
                        .then(drain.draining(leader), "Revoked 3 RESIGNED", "Drain 3")
                        .formerNode(ME),
                row("a leader that could not appoint an heir does not write to other nodes (F57)")
                        .given(leader.appointed(""))
                        .receiver(LAST)
                        .when(leave(AfterLeaving.CLOSE))
                        .then(drain.draining(leader.appointed("")), "Revoked 3 RESIGNED", "Drain 3")
                        .formerNode(ME),
                row("R20 a node that is read does not end the drain")
                        .given(drain.reading(REQUEST, leader))
                        .when(read(LAST, candidate(OTHERS_SESSION)))
                        .then(drain.draining(leader, toLast)),
                row("a leader that has drained waits for the node")
                        .given(drain.reading(REQUEST, leader))
                        .when(drained(3))
                        .then(leaving(AfterLeaving.CLOSE).provenAt(RECENTLY).reading(REQUEST, leader)),
                row("R17 the hand-over wakes the candidate, which does not follow us, and makes the heir its heir")
                        .given(leaving(AfterLeaving.CLOSE).reading(REQUEST, leader))
                        .when(read(LAST, candidate(OTHERS_SESSION)))
                        .then(leaving(AfterLeaving.CLOSE).awaiting(NEXT).handingOver(), handOver),
                row("if that candidate is gone, the heir is next")
                        .given(leaving(AfterLeaving.CLOSE).reading(REQUEST, leader))
                        .when(read(LAST, NO_NODE))
                        .then(
                                leaving(AfterLeaving.CLOSE).awaiting(NEXT).handingOver(),
                                "HAND_OVER Multi(Delete " + ME + ", Check " + AFTER + ", Set leader v4 HELD " + AFTER
                                        + " 31 3000)"));
    }
}
