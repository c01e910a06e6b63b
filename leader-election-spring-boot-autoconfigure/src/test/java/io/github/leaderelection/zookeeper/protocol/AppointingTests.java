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
import io.github.leaderelection.zookeeper.znode.HandOverRequest;
import io.github.leaderelection.zookeeper.znode.HandOverRequest.Answer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** How a leader appoints its heir, and answers requests to hand over. */
class AppointingTests {

    private static final Appointment APPOINTMENT = new Appointment(AFTER, null, 0, null);
    private static final States.LeadingBuilder WITHOUT_HEIR = leading().appointed("");
    private static final States.LeadingBuilder APPOINTING = WITHOUT_HEIR.succession(HEIR.appointing(APPOINTMENT));

    /** About to replace the heir in the record, which is still in the queue. */
    private static final States.LeadingBuilder REPLACING = leading()
            .succession(new Succession(2, LAST, AFTER, null, null, false, new Appointment(LAST, null, 0, null)));

    private static final String APPOINT =
            "APPOINT Multi(Set " + AFTER + " v2, Set leader v4 HELD " + ME + " heir " + AFTER + " 30 3000)";
    private static final String READ_NEXT = "NEXT Get " + LAST;

    private static Succession three(String heir, String next) {
        return new Succession(3, heir, heir, next, null, false, null);
    }

    private static Event read(Purpose purpose, String node, Reply reply) {
        return replied(purpose, new Request.Get(path(node), false), reply);
    }

    @TestFactory
    Stream<DynamicTest> theChoice() {
        String important = "c-y.1.p5-0000000009";
        return table(
                row("a leader whose heir is not in the record reads the heir's node")
                        .given(WITHOUT_HEIR)
                        .when(listedWithWatch(ME, AFTER))
                        .then(APPOINTING, READ_HEIR)
                        .queueWatched(true),
                row("a leader whose heir is in the record has nothing to do")
                        .given(leading())
                        .when(listedWithWatch(ME, AFTER))
                        .thenNothing()
                        .queueWatched(true),
                row("a leader appoints another heir when the present one leaves (F83)")
                        .given(leading().succession(three(AFTER, LAST)))
                        .when(listedWithWatch(ME, LAST))
                        .then(
                                leading()
                                        .succession(new Succession(
                                                2,
                                                LAST,
                                                LAST,
                                                null,
                                                null,
                                                false,
                                                new Appointment(LAST, null, 0, null))),
                                "HEIR Get " + LAST)
                        .queueWatched(true),
                row("a leader appoints a candidate of a higher priority; until then the present heir would be named")
                        .given(leading().appointed(LAST))
                        .when(listedWithWatch(ME, important, LAST))
                        .then(
                                leading()
                                        .appointed(LAST)
                                        .succession(new Succession(
                                                3,
                                                important,
                                                LAST,
                                                LAST,
                                                null,
                                                false,
                                                new Appointment(important, null, 0, null))),
                                READ_NEXT,
                                "HEIR Get " + important)
                        .queueWatched(true),
                row("a leader keeps its heir when another candidate of the same priority joins")
                        .given(leading().appointed(LAST))
                        .when(listedWithWatch(ME, AFTER, LAST))
                        .then(leading().appointed(LAST).succession(three(LAST, AFTER)), "NEXT Get " + AFTER)
                        .queueWatched(true),
                row("a leader appoints a candidate of the preferred connection")
                        .given(WITHOUT_HEIR)
                        .heirs("z", Set.of())
                        .when(listedWithWatch(ME, AFTER, LAST))
                        .then(
                                WITHOUT_HEIR.succession(new Succession(
                                        3, LAST, AFTER, AFTER, null, false, new Appointment(LAST, null, 0, null))),
                                "NEXT Get " + AFTER,
                                "HEIR Get " + LAST)
                        .queueWatched(true),
                row("a leader replaces an heir that has fallen silent (F83)")
                        .given(leading())
                        .heirs("y", Set.of("y"))
                        .when(listedWithWatch(ME, AFTER, LAST))
                        .then(
                                leading()
                                        .succession(new Succession(
                                                3,
                                                LAST,
                                                AFTER,
                                                AFTER,
                                                null,
                                                false,
                                                new Appointment(LAST, null, 0, null))),
                                "NEXT Get " + AFTER,
                                "HEIR Get " + LAST)
                        .queueWatched(true),
                row("a leader that is alone appoints nobody")
                        .given(leading())
                        .when(listedWithWatch(ME))
                        .then(leading().succession(NO_HEIR))
                        .queueWatched(true),
                row("a leader deletes a node of a former candidacy of its connection (F94)")
                        .given(leading())
                        .when(listedWithWatch(ORPHAN, ME, AFTER))
                        .then(
                                leading().succession(three(AFTER, ORPHAN)),
                                "DeleteOrphan " + ORPHAN,
                                "NEXT Get " + ORPHAN)
                        .queueWatched(true));
    }

    @TestFactory
    Stream<DynamicTest> theNext() {
        var known = three(AFTER, LAST).touching(new Request.Set(path(LAST), OTHERS_DATA, -1));
        return table(
                row("a leader keeps what it needs to touch its heir's heir when it hands over")
                        .given(leading().succession(three(AFTER, LAST)))
                        .when(read(Purpose.NEXT, LAST, candidate(OTHERS_SESSION)))
                        .then(leading().succession(known)),
                row("it reads the heir's heir once")
                        .given(leading().succession(known))
                        .when(listedWithWatch(ME, AFTER, LAST))
                        .thenNothing()
                        .queueWatched(true),
                row("it reads another one if that would be the heir's heir now")
                        .given(leading().succession(known))
                        .when(listedWithWatch(FIRST, ME, AFTER))
                        .then(leading().succession(three(AFTER, FIRST)), "NEXT Get " + FIRST)
                        .queueWatched(true),
                row("the reply about a candidate that is not the heir's heir any more is dropped")
                        .given(leading().succession(three(AFTER, LAST)))
                        .when(read(Purpose.NEXT, FIRST, candidate(OTHERS_SESSION)))
                        .thenNothing(),
                row("an heir's heir that is gone or cannot be read is left out")
                        .given(leading().succession(three(AFTER, LAST)))
                        .when(read(Purpose.NEXT, LAST, Reply.of(Code.NOAUTH)))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> theTransaction() {
        return table(
                row("R17 R25 an appointment touches the heir and names it, by version, with the token of the term")
                        .given(APPOINTING)
                        .when(replied(Purpose.HEIR, candidate(OTHERS_SESSION)))
                        .then(
                                APPOINTING,
                                "APPOINT Multi(Set c-y-0000000009 v2,"
                                        + " Set leader v4 HELD c-me-0000000007 heir c-y-0000000009 30 3000)"),
                row("R10 an appointment does not change the lease in the record")
                        .given(APPOINTING.leases(OTHERS_LEASE, OTHERS_LEASE))
                        .when(replied(Purpose.HEIR, candidate(OTHERS_SESSION)))
                        .then(
                                APPOINTING.leases(OTHERS_LEASE, OTHERS_LEASE),
                                "APPOINT Multi(Set c-y-0000000009 v2,"
                                        + " Set leader v4 HELD c-me-0000000007 heir c-y-0000000009 30 2000)"),
                row("one appointment at a time, since each changes the record's version")
                        .given(APPOINTING)
                        .when(listedWithWatch(FIRST, ME, AFTER))
                        .then(
                                APPOINTING.succession(new Succession(3, FIRST, AFTER, AFTER, null, false, APPOINTMENT)),
                                READ_NEXT_OF_FIRST)
                        .queueWatched(true),
                row("an appointed heir is in the record")
                        .given(APPOINTING)
                        .when(replied(Purpose.APPOINT, Code.OK))
                        .then(leading().holding(VERSION + 1, TOKEN)),
                row("the former heir is touched, so that it does not observe our heartbeats any longer")
                        .given(REPLACING)
                        .when(replied(Purpose.APPOINT, Code.OK))
                        .then(
                                leading()
                                        .holding(VERSION + 1, TOKEN)
                                        .appointed(LAST)
                                        .succession(new Succession(2, LAST, AFTER, null, null, false, null)),
                                "FORMER_HEIR Get " + AFTER),
                row("it is touched by the version that was read")
                        .given(leading())
                        .when(replied(Purpose.FORMER_HEIR, candidate(OTHERS_SESSION)))
                        .then(leading(), "CLEAN_UP Set " + AFTER + " v2"),
                row("a former heir that is gone meanwhile needs no touch")
                        .given(leading())
                        .when(replied(Purpose.FORMER_HEIR, Code.NONODE))
                        .thenNothing(),
                row("one that was appointed after the last list is touched, too")
                        .given(REPLACING.succession(
                                new Succession(2, LAST, LAST, null, null, false, new Appointment(LAST, null, 0, null))))
                        .when(replied(Purpose.APPOINT, Code.OK))
                        .then(
                                leading()
                                        .holding(VERSION + 1, TOKEN)
                                        .appointed(LAST)
                                        .succession(new Succession(2, LAST, LAST, null, null, false, null)),
                                "FORMER_HEIR Get " + AFTER),
                row("where the record named no heir, the candidate that watches the leader's node was the heir")
                        .given(REPLACING.appointed(""))
                        .when(replied(Purpose.APPOINT, Code.OK))
                        .then(
                                leading()
                                        .holding(VERSION + 1, TOKEN)
                                        .appointed(LAST)
                                        .succession(new Succession(2, LAST, AFTER, null, null, false, null)),
                                "FORMER_HEIR Get " + AFTER),
                row("after an appointment the next one begins, if the choice has changed meanwhile")
                        .given(WITHOUT_HEIR.succession(new Succession(3, LAST, AFTER, null, null, false, APPOINTMENT)))
                        .when(replied(Purpose.APPOINT, Code.OK))
                        .then(
                                leading()
                                        .holding(VERSION + 1, TOKEN)
                                        .succession(new Succession(
                                                3,
                                                LAST,
                                                AFTER,
                                                null,
                                                null,
                                                false,
                                                new Appointment(LAST, null, 0, null))),
                                "HEIR Get " + LAST));
    }

    private static final String READ_NEXT_OF_FIRST = READ_HEIR.replace("HEIR", "NEXT");

    @TestFactory
    Stream<DynamicTest> failures() {
        return table(
                row("an heir that is gone before it was read is not appointed; the queue shows another one (F83)")
                        .given(APPOINTING)
                        .when(replied(Purpose.HEIR, Code.NONODE))
                        .then(WITHOUT_HEIR),
                row("a leader whose record or heir has changed reads the queue and the record again (F79)")
                        .given(APPOINTING)
                        .when(replied(Purpose.APPOINT, Code.BADVERSION))
                        .then(WITHOUT_HEIR, WATCH_QUEUE, READ_RECORD),
                row("a leader whose heir is gone reads the queue and the record again (F83)")
                        .given(APPOINTING)
                        .when(replied(Purpose.APPOINT, Code.NONODE))
                        .then(WITHOUT_HEIR, WATCH_QUEUE, READ_RECORD),
                row("a leader that may not appoint an heir reports it, and leads on (F57)")
                        .given(APPOINTING)
                        .when(replied(Purpose.APPOINT, Code.NOAUTH))
                        .then(APPOINTING, "Failed ElectionException")
                        .goesOn(),
                row("an appointment whose reply is lost is begun again with the next list")
                        .given(APPOINTING)
                        .when(replied(Purpose.APPOINT, Code.CONNECTIONLOSS))
                        .then(WITHOUT_HEIR),
                row("an heir whose data were not read because the connection was lost is read again with the next list")
                        .given(APPOINTING)
                        .when(replied(Purpose.HEIR, Code.CONNECTIONLOSS))
                        .then(WITHOUT_HEIR),
                row("a reply that comes after all that does nothing")
                        .given(WITHOUT_HEIR)
                        .when(replied(Purpose.APPOINT, Code.OK))
                        .thenNothing());
    }

    // requests to hand over

    private static final int REQUEST_VERSION = 1;
    private static final HandOverRequest ASKED = new HandOverRequest(LAST, ME);
    private static final Request DELETE_REQUEST = new Request.Delete(path(HandOverRequest.NODE), -1);
    private static final Succession ASKING = new Succession(3, AFTER, AFTER, null, null, true, null);
    private static final HandingOver.Plan TO_LAST = ASKING.planFor(LAST, AFTER, CONFIG, DELETE_REQUEST);
    private static final Appointment ASKED_FOR =
            new Appointment(LAST, ASKED, REQUEST_VERSION, Move.of(MoveCause.REQUESTED, LAST));
    private static final String READ_REQUEST = "REQUEST Get " + HandOverRequest.NODE;

    private static Event requestRead(HandOverRequest request) {
        return requestRead(request.toJson());
    }

    private static Event requestRead(byte[] data) {
        Stat stat = new Stat();
        stat.setVersion(REQUEST_VERSION);
        return replied(Purpose.REQUEST, Reply.data(data, stat));
    }

    @TestFactory
    Stream<DynamicTest> aRequest() {
        return table(
                row("a leader that sees a request reads it")
                        .given(leading())
                        .when(listedWithWatch(ME, AFTER, HandOverRequest.NODE))
                        .then(
                                leading().succession(new Succession(2, AFTER, AFTER, null, null, true, null)),
                                READ_REQUEST)
                        .queueWatched(true),
                row("a leader reads the candidate that it is asked to hand over to")
                        .given(leading().succession(ASKING))
                        .when(requestRead(ASKED))
                        .then(leading().succession(ASKING.appointing(ASKED_FOR)), "HEIR Get " + LAST),
                row("a request that was accepted, but whose acceptance's reply was lost, is accepted again")
                        .given(leading().succession(ASKING))
                        .when(requestRead(ASKED.answer(Answer.ACCEPTED)))
                        .then(
                                leading()
                                        .succession(ASKING.appointing(new Appointment(
                                                LAST,
                                                ASKED.answer(Answer.ACCEPTED),
                                                REQUEST_VERSION,
                                                Move.of(MoveCause.REQUESTED, LAST)))),
                                "HEIR Get " + LAST),
                row("a request that was refused is left to its author")
                        .given(leading().succession(ASKING))
                        .when(requestRead(ASKED.answer(Answer.NO_SUCH_CANDIDATE)))
                        .thenNothing(),
                row("a request waits while an heir is being appointed")
                        .given(leading().succession(ASKING.appointing(APPOINTMENT)))
                        .when(requestRead(ASKED))
                        .thenNothing(),
                row("a request that had to wait is read again after the appointment")
                        .given(leading().succession(ASKING.appointing(APPOINTMENT)))
                        .when(replied(Purpose.APPOINT, Code.OK))
                        .then(leading().holding(VERSION + 1, TOKEN).succession(ASKING), READ_REQUEST),
                row("a request that was withdrawn has no effect (F87)")
                        .given(leading().succession(ASKING))
                        .when(replied(Purpose.REQUEST, Code.NONODE))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> aVoidRequest() {
        String deleted = "CLEAN_UP Delete " + HandOverRequest.NODE + " v1";
        return table(
                row("a request to an earlier leader is void, and deleted (F87)")
                        .given(leading().succession(ASKING))
                        .when(requestRead(new HandOverRequest(LAST, BEFORE)))
                        .then(leading().succession(ASKING), deleted),
                row("a request to hand over to the leader itself is void, and deleted")
                        .given(leading().succession(ASKING))
                        .when(requestRead(new HandOverRequest(ME, ME)))
                        .then(leading().succession(ASKING), deleted),
                row("a request that cannot be read is void, and deleted (F87)")
                        .given(leading().succession(ASKING))
                        .when(requestRead("?".getBytes(StandardCharsets.UTF_8)))
                        .then(leading().succession(ASKING), deleted));
    }

    @TestFactory
    Stream<DynamicTest> theAnswer() {
        var asked = leading().succession(ASKING.appointing(ASKED_FOR));
        var named =
                leading().succession(ASKING.appointing(ASKED_FOR.with(new Move(MoveCause.REQUESTED, LAST, "other"))));
        var handedOver = leading().holding(VERSION + 1, TOKEN).appointed(LAST).succession(ASKING.appointing(null));
        return table(
                row("a request is accepted in the transaction that appoints the requested candidate, by version")
                        .given(asked)
                        .when(read(Purpose.HEIR, LAST, candidate(OTHERS_SESSION)))
                        .then(
                                named,
                                "APPOINT Multi(Set handover v1 ACCEPTED, Set " + LAST + " v2, Set leader v4 HELD " + ME
                                        + " heir " + LAST + " 30 3000)"),
                row("a request for a candidate that is not there is answered with that")
                        .given(asked)
                        .when(read(Purpose.HEIR, LAST, NO_NODE))
                        .then(leading().succession(ASKING), "CLEAN_UP Set handover v1 NO_SUCH_CANDIDATE"),
                row("R18 R20 a leader that has accepted a request is revoked, and drains before it hands over")
                        .given(named)
                        .when(replied(Purpose.APPOINT, Code.OK))
                        .then(
                                leaving(AfterLeaving.REJOIN)
                                        .moving(MoveCause.REQUESTED, LAST)
                                        .provenAt(RECENTLY)
                                        .undrained(3)
                                        .draining(handedOver, TO_LAST),
                                "Revoked 3 HANDED_OVER",
                                "Drain 3")
                        .formerNode(ME),
                row("a request that was withdrawn before it was accepted changes nothing (F87)")
                        .given(asked)
                        .when(replied(Purpose.APPOINT, Code.NONODE))
                        .then(leading().succession(ASKING), WATCH_QUEUE, READ_RECORD),
                row("a leader that may not accept a request reports it, and leads on (F57)")
                        .given(asked)
                        .when(replied(Purpose.APPOINT, Code.NOAUTH))
                        .then(leading().succession(ASKING.appointing(ASKED_FOR.with(null))), "Failed ElectionException")
                        .goesOn());
    }

    @TestFactory
    Stream<DynamicTest> theHandOver() {
        var asked = leading().appointed(LAST).succession(ASKING);
        var toTheHeir = ASKING.planFor(AFTER, AFTER, CONFIG, DELETE_REQUEST);
        var withoutFormer = ASKING.planFor(LAST, "", CONFIG, DELETE_REQUEST);
        var moving = leaving(AfterLeaving.REJOIN).moving(MoveCause.REQUESTED, LAST);
        return table(
                row("R39 a requested hand-over says so in the record, and deletes the request; the former heir becomes the new"
                                + " leader's")
                        .given(moving.undrained(3).draining(asked, TO_LAST))
                        .when(drained(3))
                        .then(
                                moving.awaiting(NEXT).handingOver(),
                                "HAND_OVER Multi(Delete " + ME + ", Check " + LAST + ", Check " + AFTER
                                        + ", Delete handover, Set leader v4 HELD " + LAST + " heir " + AFTER
                                        + " 31 3000 requested)"),
                row("a move that is confirmed is reported, and the former leader joins again")
                        .given(moving.handingOver())
                        .when(replied(Purpose.HAND_OVER, Code.OK))
                        .then(pending(NEXT), "Moved REQUESTED " + LAST + " other", "Left confirmed", "Wake +5ms"),
                row("a requested hand-over to the heir names no other heir")
                        .given(leaving(AfterLeaving.REJOIN)
                                .undrained(3)
                                .draining(leading().succession(ASKING), toTheHeir))
                        .when(drained(3))
                        .then(
                                leaving(AfterLeaving.REJOIN).awaiting(NEXT).handingOver(),
                                "HAND_OVER Multi(Delete " + ME + ", Check " + AFTER
                                        + ", Delete handover, Set leader v4 HELD " + AFTER + " 31 3000)"),
                row("a requested hand-over of a leader that had no heir names no other heir")
                        .given(leaving(AfterLeaving.REJOIN).undrained(3).draining(asked, withoutFormer))
                        .when(drained(3))
                        .then(
                                leaving(AfterLeaving.REJOIN).awaiting(NEXT).handingOver(),
                                "HAND_OVER Multi(Delete " + ME + ", Check " + LAST
                                        + ", Delete handover, Set leader v4 HELD " + LAST + " 31 3000)"));
    }
}
