package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.Joining.Parents;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class JoiningTests {

    private static final String READ_ALL_OF_NEW_ELECTION =
            "STAT Get orders + STAT Get e + LIST Children orders + RECORD Get leader";

    @TestFactory
    Stream<DynamicTest> theCreate() {
        return table(
                row("a created candidate evaluates with the reads that are on their way")
                        .given(joining())
                        .when(replied(Purpose.CREATE, created()))
                        .then(evaluating().unarmed()),
                row("a candidate that cannot create its node because the election's is missing creates that as well")
                        .given(joining())
                        .when(replied(Purpose.CREATE, Code.NONODE))
                        .then(
                                joiningWithParents(Parents.ELECTION),
                                "PARENT Create orders PERSISTENT",
                                JOIN_AGAIN,
                                READ_ALL_OF_NEW_ELECTION),
                row("a candidate that cannot create the election's node because its parent is missing creates all")
                        .given(joining(Parents.ELECTION))
                        .when(replied(Purpose.CREATE, Code.NONODE))
                        .then(
                                joiningWithParents(Parents.ALL),
                                "PARENT Create e PERSISTENT",
                                "PARENT Create orders PERSISTENT",
                                JOIN_AGAIN,
                                READ_ALL_OF_NEW_ELECTION),
                row("a candidate that cannot create even that reports it and tries again later")
                        .given(joining(Parents.ALL))
                        .when(replied(Purpose.CREATE, Code.NONODE))
                        .then(pending(NEXT), "Failed ElectionException", PAUSE)
                        .failures(1),
                row("a missing path that must not be created is reported, and tried again later")
                        .given(joining())
                        .withoutCreatePaths()
                        .when(replied(Purpose.CREATE, Code.NONODE))
                        .then(pending(NEXT), "Failed ElectionNotFoundException", PAUSE)
                        .failures(1),
                row("a create that is not permitted is reported, and tried again later (F40)")
                        .given(joining())
                        .when(replied(Purpose.CREATE, Code.NOAUTH))
                        .then(pending(NEXT), "Failed ElectionException", PAUSE)
                        .failures(1),
                row("each pause is twice as long as the one before (F40)")
                        .given(joining())
                        .failures(3)
                        .when(replied(Purpose.CREATE, Code.NOAUTH))
                        .then(pending(NEXT), "Failed ElectionException", "Wake +2000ms")
                        .failures(4),
                row("no pause is longer than 32 s (F40)")
                        .given(joining())
                        .failures(100)
                        .when(replied(Purpose.CREATE, Code.NOAUTH))
                        .then(pending(NEXT), "Failed ElectionException", "Wake +32000ms")
                        .failures(101));
    }

    @TestFactory
    Stream<DynamicTest> theParents() {
        String why = ELECTION + ": " + ErrorTexts.of(Code.NOAUTH);
        return table(
                row("what keeps a parent from being created is remembered for the report")
                        .given(joining(Parents.ELECTION))
                        .when(replied(Purpose.PARENT, Code.NOAUTH))
                        .then(new Joining(CANDIDACY, REQUEST, Parents.ELECTION, why)),
                row("a parent that exists is no obstacle")
                        .given(joining(Parents.ELECTION))
                        .when(replied(Purpose.PARENT, Code.NODEEXISTS))
                        .thenNothing(),
                row("a candidate that may not create a parent reports it and tries again later")
                        .given(new Joining(CANDIDACY, REQUEST, Parents.ALL, why))
                        .when(replied(Purpose.CREATE, Code.NONODE))
                        .then(pending(NEXT), "Failed ElectionException", PAUSE)
                        .failures(1));
    }

    @TestFactory
    Stream<DynamicTest> theConnection() {
        return table(
                row("R21 a create whose reply is lost will be looked for (F25)")
                        .given(joining())
                        .when(replied(Purpose.CREATE, Code.CONNECTIONLOSS))
                        .then(recovering(NO_REQUEST)),
                row("R21 a create that is under way when the connection is lost will be looked for (F25)")
                        .given(joining())
                        .when(disconnected())
                        .then(recovering(NO_REQUEST)),
                row("a candidate whose session expires while it joins waits for a new one")
                        .given(joining())
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST)));
    }

    @TestFactory
    Stream<DynamicTest> leaves() {
        Inspecting inspecting =
                leaving(AfterLeaving.CLOSE).withoutNode().awaiting(NEXT).inspecting();
        return table(
                row("R21 a candidate that leaves while its create is under way looks for the node after it (F30)")
                        .given(joining())
                        .when(leave(AfterLeaving.CLOSE))
                        .then(inspecting, BARRIER, READ_ALL),
                row("R36 a candidate whose heartbeat is lost while it joins takes its create back, and joins again (F75)")
                        .given(joining())
                        .when(rejoin())
                        .then(
                                leaving(AfterLeaving.REJOIN)
                                        .withoutNode()
                                        .awaiting(NEXT)
                                        .inspecting(),
                                BARRIER,
                                READ_ALL),
                row("a candidate that joins when its session is replaced looks for its create when connected (F92)")
                        .given(joining())
                        .disconnected()
                        .when(rejoin())
                        .then(leaving(AfterLeaving.REJOIN)
                                .withoutNode()
                                .awaiting(NO_REQUEST)
                                .parked()),
                row("R20 a candidate that leaves while its create is under way drains meanwhile")
                        .given(joining())
                        .terms(3)
                        .when(leave(AfterLeaving.CLOSE))
                        .then(
                                leaving(AfterLeaving.CLOSE)
                                        .withoutNode()
                                        .undrained(3)
                                        .awaiting(NEXT)
                                        .inspecting(),
                                "Drain 3",
                                BARRIER,
                                READ_ALL),
                row("a candidate that leaves without a connection looks for its node when there is one")
                        .given(joining())
                        .disconnected()
                        .when(leave(AfterLeaving.CLOSE))
                        .then(leaving(AfterLeaving.CLOSE)
                                .withoutNode()
                                .awaiting(NO_REQUEST)
                                .parked()),
                row("a candidate whose process deletes the election removes the node it may have created")
                        .given(joining())
                        .when(electionDeleted())
                        .then(
                                leaving(AfterLeaving.END)
                                        .withoutNode()
                                        .awaiting(NEXT)
                                        .inspecting(),
                                "Ended",
                                BARRIER,
                                READ_ALL));
    }

    @Test
    void theNodeSaysWhoTheCandidateIsAndWhereItsHeartbeatIs() {
        ElectionState observing = ElectionState.of(
                new ElectionState.Config("orders", ELECTION, true, () -> "shop-1", Map.of("zone", "a"), 0, null, ""));
        View view = new View(
                NOW,
                true,
                true,
                SESSION,
                SESSION_TIMEOUT,
                LEASE,
                0,
                HEARTBEAT_PATH,
                HEARTBEAT_CZXID,
                0,
                0,
                path -> null,
                Heirs.NONE,
                () -> null,
                () -> "g");

        Command.Send create = (Command.Send)
                new Protocol().apply(observing, nominate(), view).commands().get(0);

        byte[] data = ((Request.Create) create.request()).data();
        assertThat(CandidateData.parse(data))
                .isEqualTo(new CandidateData("shop-1", "", Map.of("zone", "a"), HEARTBEAT_PATH));
    }

    @TestFactory
    Stream<DynamicTest> thePriority() {
        return table(
                row("a priority is part of the node's name, so that a list shows it")
                        .given(new Observing())
                        .priority(5)
                        .when(nominate())
                        .then(
                                joiningAs(new Candidacy("new.p5", SESSION)),
                                "CREATE Create c-new.p5- EPHEMERAL_SEQUENTIAL",
                                READ_ALL),
                row("a negative priority is part of the node's name, too")
                        .given(new Observing())
                        .priority(-5)
                        .when(nominate())
                        .then(
                                joiningAs(new Candidacy("new.m5", SESSION)),
                                "CREATE Create c-new.m5- EPHEMERAL_SEQUENTIAL",
                                READ_ALL));
    }
}
