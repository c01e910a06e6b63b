package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.CLEAR;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.CLOSE;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.END;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.REJOIN;
import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class InspectingTests {

    @TestFactory
    Stream<DynamicTest> theNodeIsThere() {
        Inspecting inspecting = leaving(CLOSE).inspecting(queue(ME, AFTER));
        return table(
                row("R19 a candidate that the record names while it leaves hands over (F65)")
                        .given(inspecting)
                        .when(recordRead(held(ME, TOKEN)))
                        .then(leaving(CLOSE).awaiting(NEXT).handingOver(), HAND_OVER),
                row("a candidate that the record names and that is alone releases it")
                        .given(leaving(CLOSE).inspecting(queue(ME)))
                        .when(recordRead(held(ME, TOKEN)))
                        .then(
                                leaving(CLOSE).awaiting(NEXT).handingOverWithoutHeir(),
                                "HAND_OVER Multi(Delete " + ME + ", Set leader v4 RELEASED 30 3000)"),
                row("a candidate that hands over while it leaves prefers the heir that the record names")
                        .given(leaving(CLOSE).inspecting(queue(BEFORE, ME, AFTER)))
                        .when(recordRead(record(LeaderRecord.held(ME, AFTER, TOKEN, LEASE), TOKEN)))
                        .then(leaving(CLOSE).awaiting(NEXT).handingOver(), HAND_OVER),
                row("a candidate whose heir is gone hands over to one that watches it (F83)")
                        .given(leaving(CLOSE).inspecting(queue(BEFORE, ME, AFTER)))
                        .when(recordRead(record(LeaderRecord.held(ME, FIRST, TOKEN, LEASE), TOKEN)))
                        .then(leaving(CLOSE).awaiting(NEXT).handingOver(), HAND_OVER),
                row("R25 a candidate that hands over names its heir with a greater token (I7)")
                        .given(inspecting)
                        .when(recordRead(record(LeaderRecord.held(ME, 0, LEASE), 75)))
                        .then(
                                leaving(CLOSE).awaiting(NEXT).handingOver(),
                                "HAND_OVER Multi(Delete " + ME + ", Check " + AFTER + ", Set leader v4 HELD " + AFTER
                                        + " 76 3000)"),
                row("a record of a later version is left as it is")
                        .given(inspecting)
                        .when(recordRead(newer()))
                        .then(leaving(CLOSE).awaiting(NEXT).inspecting(queue(ME, AFTER)), DELETE_OWN_NODE, READ_ALL),
                row("a candidate that hands over deletes its twins (F28)")
                        .given(leaving(CLOSE).inspecting(queue(OLDER_TWIN, ME, AFTER)))
                        .when(recordRead(held(ME, TOKEN)))
                        .then(leaving(CLOSE).awaiting(NEXT).handingOver(), "CLEAN_UP Delete " + OLDER_TWIN, HAND_OVER),
                row("a candidate that the record does not name deletes its node, and looks again")
                        .given(inspecting)
                        .when(recordRead(released(80)))
                        .then(leaving(CLOSE).awaiting(NEXT).inspecting(queue(ME, AFTER)), DELETE_OWN_NODE, READ_ALL),
                row("a candidate that may not delete its node reports it, and tries again later (F57)")
                        .given(inspecting)
                        .when(replied(Purpose.DELETE, Code.NOAUTH))
                        .then(leaving(CLOSE).awaiting(NEXT).parked(), "Failed ElectionException", PAUSE)
                        .failures(1),
                row("a candidate whose node is deleted waits for what it reads after that")
                        .given(inspecting)
                        .when(replied(Purpose.DELETE, Code.OK))
                        .thenNothing());
    }

    /** The candidate left before its create was answered. */
    @TestFactory
    Stream<DynamicTest> theNodeIsUnknown() {
        Inspecting inspecting = leaving(CLOSE).withoutNode().inspecting(queue(ME, AFTER));
        return table(
                row("a candidate that is named before it knows its node reads the node first")
                        .given(inspecting)
                        .when(recordRead(held(ME, 30)))
                        .then(inspecting, "OWN_NODE Get " + ME),
                row("a candidate that knows its node now looks again, to hand over")
                        .given(inspecting)
                        .when(ownNodeRead(candidate(SESSION)))
                        .then(leaving(CLOSE).unarmed().awaiting(NEXT).inspecting(), BARRIER, READ_ALL),
                row("a candidate whose node is gone when it is read looks again")
                        .given(inspecting)
                        .when(ownNodeRead(NO_NODE))
                        .then(leaving(CLOSE).withoutNode().awaiting(NEXT).inspecting(), BARRIER, READ_ALL),
                row("a candidate that is not named deletes the node that it did not know (F30)")
                        .given(inspecting)
                        .when(recordRead(held(AFTER, 30)))
                        .then(
                                leaving(CLOSE).withoutNode().awaiting(NEXT).inspecting(queue(ME, AFTER)),
                                DELETE_OWN_NODE,
                                READ_ALL),
                row("a candidate without any node has left")
                        .given(leaving(CLOSE).withoutNode().inspecting(queue(AFTER)))
                        .when(recordRead(held(AFTER, 30)))
                        .then(closed(), "Left confirmed"));
    }

    @TestFactory
    Stream<DynamicTest> theNodeIsGone() {
        Inspecting inspecting = leaving(CLOSE).inspecting(queue(AFTER));
        Reply endedByOther = record(LeaderRecord.held(ME, TOKEN, OTHERS_LEASE).ended(), 80);
        return table(
                row("a record that still names a node that is gone is released")
                        .given(inspecting)
                        .when(recordRead(held(ME, TOKEN)))
                        .then(leaving(CLOSE).awaiting(NEXT).releasing(), "RELEASE Set leader v4 RELEASED 30 2000"),
                row("a candidate of which nothing is left has left")
                        .given(inspecting)
                        .when(recordRead(held(AFTER, 70)))
                        .then(closed(), "Left confirmed"),
                row("a leader whose election ended meanwhile acknowledges that it leads no more")
                        .given(inspecting)
                        .when(recordRead(endedByOther))
                        .then(
                                leaving(END).awaiting(NEXT).releasing(),
                                "Ended",
                                "RELEASE Set leader v4 ENDED " + ME + " 30 2000 acknowledged"),
                row("a candidate whose election is gone has left for good")
                        .given(leaving(REJOIN).inspecting())
                        .when(replied(Purpose.LIST, Code.NONODE))
                        .then(closedAfterEnd(), "Ended", "Left confirmed"),
                row("a candidate that knows of the end does not announce it again")
                        .given(leaving(END).inspecting())
                        .when(replied(Purpose.LIST, Code.NONODE))
                        .then(closedAfterEnd(), "Left confirmed"),
                row("a candidate that never had a node does not take a missing election for an ended one")
                        .given(leaving(REJOIN).withoutNode().inspecting())
                        .when(replied(Purpose.LIST, Code.NONODE))
                        .then(joiningAs(NEW_CANDIDACY), "Left confirmed", JOIN, READ_ALL),
                row("a candidate that clears an ended election away goes on with that if it is gone (F67)")
                        .given(leaving(CLEAR).inspecting())
                        .when(replied(Purpose.LIST, Code.NONODE))
                        .then(new Clearing(), "Left confirmed", "DeleteEndedElection"));
    }

    @TestFactory
    Stream<DynamicTest> theReads() {
        return table(
                row("R27 a record that was read before the queue is not used")
                        .given(leaving(CLOSE).inspecting())
                        .when(recordRead(held(AFTER, 70)))
                        .thenNothing(),
                row("the queue is kept until the record comes")
                        .given(leaving(CLOSE).inspecting())
                        .when(listed(ME, AFTER))
                        .then(leaving(CLOSE).inspecting(queue(ME, AFTER))),
                row("a queue that is too long to be read costs the heir, since the node would block all others (F58)")
                        .given(leaving(REJOIN).inspecting())
                        .when(replied(Purpose.LIST, Code.MARSHALLINGERROR))
                        .then(leaving(REJOIN).awaiting(NEXT).deleting(), DELETE_OWN_NODE, READ_RECORD),
                row("a queue that may not be read is reported, and read again later (F57)")
                        .given(leaving(CLOSE).inspecting())
                        .when(replied(Purpose.LIST, Code.NOAUTH))
                        .then(leaving(CLOSE).awaiting(NEXT).parked(), "Failed ElectionException", PAUSE)
                        .failures(1),
                row("a lost reply says nothing")
                        .given(leaving(CLOSE).inspecting(queue(ME)))
                        .when(replied(Purpose.RECORD, Code.CONNECTIONLOSS))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> theDrain() {
        var undrained = leaving(CLOSE).withoutNode().undrained(3);
        return table(
                row("R20 a candidate that has taken back its create has not left before its work is done")
                        .given(undrained.inspecting(queue()))
                        .when(recordRead(released(80)))
                        .then(retiring(CLOSE, true)),
                row("a candidate whose work is done goes on taking back its create")
                        .given(undrained.inspecting(queue()))
                        .when(drained(3))
                        .then(leaving(CLOSE).withoutNode().inspecting(queue())),
                row("the end of another term's work does not count")
                        .given(undrained.inspecting(queue()))
                        .when(drained(2))
                        .thenNothing(),
                row("a candidate whose work is done and that has taken back its create has left")
                        .given(leaving(CLOSE).withoutNode().inspecting(queue()))
                        .when(recordRead(released(80)))
                        .then(closed(), "Left confirmed"));
    }
}
