package io.github.leaderelection.zookeeper.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.Joining.Parents;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import io.github.leaderelection.zookeeper.znode.Successor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The protocol, row by row: a stage, a signal, the stage that follows, the commands. No server, no time. */
class ProtocolTests {

    private static final long SESSION = 77;
    private static final long SESSION_TIMEOUT = 9_000;
    private static final long LEASE = 3_000;
    private static final Moment NOW = new Moment(1_000_000_000_000L, 5_000_000_000_000L);
    private static final long REQUEST = 5;
    private static final String ME = "c-me-0000000007";
    private static final String BEFORE = "c-x-0000000003";
    private static final String FIRST = "c-w-0000000001";
    private static final Predecessor OTHER = new Predecessor("/e/orders/" + BEFORE, "/b/other", true);
    private static final String AFTER = "c-y-0000000009";
    private static final long MY_CZXID = 70;
    private static final Candidacy CANDIDACY = new Candidacy("me", SESSION);
    private static final CandidateNode SEAT =
            new CandidateNode("/e/orders/" + ME, SESSION, MY_CZXID, NOW.millis(), true, null);
    private static final Moment RECENTLY = new Moment(NOW.nanos() - 100_000_000, NOW.millis() - 100);
    private static final Moment LONG_AGO = new Moment(NOW.nanos() - 4_000_000_000L, NOW.millis() - 4_000);

    private final List<DynamicTest> rows = new ArrayList<>();
    private boolean connected = true;
    private boolean hasRoom = true;
    private long terms = 0;
    private boolean createPaths = true;
    private boolean queueWatched;
    private String formerNode;
    private OptionalLong observed = OptionalLong.empty();

    /** Checks a row, and adds it to the table. Commands are given in the short form of {@link #describe}. */
    private void row(String name, State given, Event when, Class<? extends State> then, String... commands) {
        OptionalLong seen = observed;
        View view = new View(
                NOW,
                connected,
                hasRoom,
                SESSION,
                SESSION_TIMEOUT,
                LEASE,
                "/b/beat",
                heartbeat -> known(heartbeat, seen),
                () -> "new");
        var config = new ElectionState.Config("orders", "/e/orders", createPaths, () -> "id", Map.of());
        ElectionState election = new ElectionState(config, given, REQUEST, terms, formerNode, queueWatched, 0, null);
        rows.add(DynamicTest.dynamicTest(name, () -> {
            StateMachine.Outcome outcome = new Protocol().apply(election, when, view);
            assertThat(outcome.election().state()).isInstanceOf(then);
            assertThat(outcome.commands().stream().map(ProtocolTests::describe)).containsExactly(commands);
        }));
        connected = true;
        hasRoom = true;
        terms = 0;
        createPaths = true;
        queueWatched = false;
        formerNode = null;
        observed = OptionalLong.empty();
    }

    /** Where it is after its session has ended on its way out. */
    private static Pending unconfirmed(AfterLeaving then) {
        var config = new ElectionState.Config("orders", "/e/orders", true, () -> "id", Map.of());
        ElectionState election = new ElectionState(config, parked(then), REQUEST, 3, null, false, 0, null);
        View view = new View(
                NOW,
                false,
                true,
                SESSION,
                SESSION_TIMEOUT,
                LEASE,
                "/b/beat",
                heartbeat -> OptionalLong.empty(),
                () -> "new");
        return (Pending) new Protocol()
                .apply(election, new Event.Expired(), view)
                .election()
                .state();
    }

    private static String watchesAfter(Event loss) {
        var config = new ElectionState.Config("orders", "/e/orders", true, () -> "id", Map.of());
        ElectionState election = new ElectionState(config, leadingStage(RECENTLY), REQUEST, 3, null, true, 0, null);
        View view = new View(
                NOW,
                true,
                true,
                SESSION,
                SESSION_TIMEOUT,
                LEASE,
                "/b/beat",
                heartbeat -> OptionalLong.empty(),
                () -> "new");
        ElectionState after = new Protocol().apply(election, loss, view).election();
        return "own node %s, queue %s"
                .formatted(((Leading) after.state()).ownNode().armed(), after.queueWatched());
    }

    private static OptionalLong known(String heartbeat, OptionalLong at) {
        return heartbeat.equals("/b/other") ? at : OptionalLong.empty();
    }

    /** Which rule an event goes to where more than one could take it. */
    @TestFactory
    Stream<DynamicTest> orderOfDispatch() {
        Following following = new Following(SEAT.arm(false), REQUEST, OTHER, null);
        Event armedLate = new Event.Replied(
                new Command.Send(Purpose.OWN_NODE, REQUEST - 1, new Request.Get("/e/orders/" + ME, true)),
                own(SESSION));
        row("the own watch's answer counts, whatever has been sent since", following, armedLate, Following.class);
        rows.add(DynamicTest.dynamicTest("... and sets the watch", () -> {
            Following armed = (Following) apply(following, armedLate).election().state();
            assertThat(armed.ownNode().armed()).isTrue();
        }));
        row(
                "the watch on another node than the present one has no say",
                following,
                new Event.Replied(
                        new Command.Send(Purpose.OWN_NODE, REQUEST, new Request.Get("/e/orders/" + FIRST, true)),
                        Reply.of(Code.NONODE)),
                Following.class);
        row(
                "looking for a lost create, the own node's answer goes by its request",
                new Recovering(CANDIDACY, REQUEST, ME),
                armedLate,
                Recovering.class);
        row(
                "an answer to an earlier request is dropped",
                following,
                new Event.Replied(
                        new Command.Send(Purpose.PREDECESSOR, REQUEST - 1, new Request.Get(OTHER.path(), true)),
                        Reply.of(Code.NONODE)),
                Following.class);
        Evaluating verifying = verifying(new Following(SEAT, REQUEST, OTHER, null), BEFORE, ME);
        row(
                "verifying its place, its own node comes before its predecessor",
                verifying,
                changed(ME, EventType.NodeDeleted),
                NodeLost.class,
                "STAT Exists orders",
                "RECORD Get");
        row(
                "verifying its place, it still sees its predecessor go",
                verifying,
                changed(BEFORE, EventType.NodeDeleted),
                Evaluating.class,
                "LIST Names + RECORD Get",
                "SendHeartbeat");
        row(
                "merely evaluating, it does not",
                evaluating(queue(BEFORE, ME), OTHER, true),
                changed(BEFORE, EventType.NodeDeleted),
                Evaluating.class);
        row(
                "a change of the record concerns only those that wait",
                following,
                changed(LeaderRecord.NODE, EventType.NodeDataChanged),
                Following.class);
        row(
                "a change of the queue concerns only leaders",
                following,
                new Event.Changed("/e/orders", EventType.NodeChildrenChanged),
                Following.class);
        rows.add(DynamicTest.dynamicTest("... but is remembered: the watch is used up", () -> {
            var watched = new ElectionState(config(), following, REQUEST, 0, null, true, 0, null);
            Event change = new Event.Changed("/e/orders", EventType.NodeChildrenChanged);
            assertThat(new Protocol().apply(watched, change, view()).election().queueWatched())
                    .isFalse();
        }));
        row(
                "a wait is not verified, it ends by itself",
                new AwaitingLeaseEnd(SEAT, REQUEST, queue(ME), 4, NOW.nanos() + 1),
                new Event.Recheck(),
                AwaitingLeaseEnd.class);
        row(
                "a leader keeps its place when the connection is lost, before all others that have a node",
                leadingStage(RECENTLY),
                new Event.Disconnected(true),
                Leading.class);
        row(
                "a leader's session ends: its term does, before it waits for another session",
                leadingStage(RECENTLY),
                new Event.Expired(),
                Pending.class,
                "Revoked 3 SESSION_EXPIRED");
        row(
                "draining goes on without a connection",
                draining(AfterLeaving.REJOIN, null),
                new Event.Disconnected(true),
                Leaving.class);
        return rows.stream();
    }

    private static StateMachine.Outcome apply(State given, Event when) {
        return new Protocol().apply(new ElectionState(config(), given, REQUEST, 0, null, false, 0, null), when, view());
    }

    private static ElectionState.Config config() {
        return new ElectionState.Config("orders", "/e/orders", true, () -> "id", Map.of());
    }

    private static View view() {
        return new View(
                NOW,
                true,
                true,
                SESSION,
                SESSION_TIMEOUT,
                LEASE,
                "/b/beat",
                heartbeat -> OptionalLong.empty(),
                () -> "new");
    }

    @TestFactory
    Stream<DynamicTest> joining() {
        String[] join = {"CREATE Create c-new-", "LIST Names + RECORD Get"};
        row(
                "nominated while connected: creates, lists and reads in one go",
                new Observing(),
                new Event.Nominate(),
                Joining.class,
                join);
        connected = false;
        row("nominated while disconnected: waits", new Observing(), new Event.Nominate(), Pending.class);
        hasRoom = false;
        row(
                "nominated while many others begin: waits for its turn",
                new Observing(),
                new Event.Nominate(),
                Pending.class,
                "WakeWhenThereIsRoom");
        row("waiting and connected: joins", new Pending(0, false), new Event.Connected(), Joining.class, join);
        row("the pause is over: joins", new Pending(REQUEST, false), woken(), Joining.class, join);
        row("another pause's end: nothing", new Pending(REQUEST, false), new Event.Woken(4), Pending.class);
        row(
                "created: the list and the record are on their way",
                joiningStage(),
                replied(Purpose.CREATE, created()),
                Evaluating.class);
        row(
                "create refused for want of the path: makes it",
                joiningStage(),
                replied(Purpose.CREATE, Reply.of(Code.NONODE)),
                Joining.class,
                "PARENT Create orders",
                "CREATE Create c-me-",
                "STAT Get + STAT Get + LIST Names + RECORD Get");
        row(
                "the path can't be made for want of its parent: makes that too",
                new Joining(CANDIDACY, REQUEST, Parents.ELECTION, "no node"),
                replied(Purpose.CREATE, Reply.of(Code.NONODE)),
                Joining.class,
                "PARENT Create e",
                "PARENT Create orders",
                "CREATE Create c-me-",
                "STAT Get + STAT Get + LIST Names + RECORD Get");
        row(
                "not even then: told, tried later",
                new Joining(CANDIDACY, REQUEST, Parents.ALL, "no permission"),
                replied(Purpose.CREATE, Reply.of(Code.NONODE)),
                Pending.class,
                "Failed ElectionException",
                "Wake");
        createPaths = false;
        row(
                "create refused for want of the path, which is not to be made: told, tried later",
                joiningStage(),
                replied(Purpose.CREATE, Reply.of(Code.NONODE)),
                Pending.class,
                "Failed ElectionNotFoundException",
                "Wake");
        row(
                "F40 create not permitted: told, tried later",
                joiningStage(),
                replied(Purpose.CREATE, Reply.of(Code.NOAUTH)),
                Pending.class,
                "Failed ElectionException",
                "Wake");
        row(
                "F25 the create's answer is lost: to be looked for",
                joiningStage(),
                replied(Purpose.CREATE, Reply.of(Code.CONNECTIONLOSS)),
                Recovering.class);
        row(
                "F25 disconnected while creating: to be looked for",
                joiningStage(),
                new Event.Disconnected(true),
                Recovering.class);
        row(
                "expired while creating: a new session, a new candidacy",
                joiningStage(),
                new Event.Expired(),
                Pending.class);
        return rows.stream();
    }

    @TestFactory
    Stream<DynamicTest> recovering() {
        Recovering recovering = new Recovering(CANDIDACY, REQUEST, null);
        row(
                "F28 reconnected: syncs before it looks",
                new Recovering(CANDIDACY, 0, null),
                new Event.Connected(),
                Recovering.class,
                "BARRIER Set beat v-1",
                "LIST Children");
        row(
                "no node of ours: creates again with the same GUID",
                recovering,
                replied(Purpose.LIST, children(BEFORE)),
                Joining.class,
                "CREATE Create c-me-",
                "LIST Names + RECORD Get");
        row(
                "one node of ours: asks whose it is",
                recovering,
                replied(Purpose.LIST, children(BEFORE, ME)),
                Recovering.class,
                "OWN_NODE Get " + ME + " watch");
        row(
                "several: keeps the lowest",
                recovering,
                replied(Purpose.LIST, children(ME, "c-me-0000000008")),
                Recovering.class,
                "CLEAN_UP Delete c-me-0000000008",
                "OWN_NODE Get " + ME + " watch");
        Recovering found = new Recovering(CANDIDACY, REQUEST, ME);
        row(
                "it is our session's: adopts it",
                found,
                replied(Purpose.OWN_NODE, own(SESSION)),
                Evaluating.class,
                "LIST Names + RECORD Get");
        row(
                "F6 it is another session's: a new candidacy",
                found,
                replied(Purpose.OWN_NODE, own(SESSION + 1)),
                Joining.class,
                "CREATE Create c-new-",
                "LIST Names + RECORD Get");
        row(
                "it is gone: a new candidacy",
                found,
                replied(Purpose.OWN_NODE, Reply.of(Code.NONODE)),
                Joining.class,
                "CREATE Create c-new-",
                "LIST Names + RECORD Get");
        return rows.stream();
    }

    @TestFactory
    Stream<DynamicTest> evaluating() {
        Evaluating reading = evaluating(null, null, true);
        row("listed: waits for the record", reading, replied(Purpose.LIST, children(ME)), Evaluating.class);
        row(
                "not in the list: lost its node",
                reading,
                replied(Purpose.LIST, children(BEFORE)),
                NodeLost.class,
                "STAT Exists orders",
                "RECORD Get");
        row(
                "no election node: lost its node",
                reading,
                replied(Purpose.LIST, Reply.of(Code.NONODE)),
                NodeLost.class,
                "STAT Exists orders",
                "RECORD Get");
        row(
                "F28 a twin in the list: deleted",
                reading,
                replied(Purpose.LIST, children(ME, "c-me-0000000004")),
                Evaluating.class,
                "CLEAN_UP Delete c-me-0000000004");
        row(
                "F59 an overflow: the order of creation decides, and the record is read again",
                reading,
                replied(Purpose.LIST, children(ME, "c-x-2147483647")),
                Evaluating.class,
                "STAT Exists " + ME,
                "STAT Exists c-x-2147483647",
                "RECORD Get");
        row(
                "F70 a beat is no proof before the watch is armed",
                evaluating(null, null, false),
                new Event.Acknowledged(RECENTLY),
                Evaluating.class);

        Evaluating second = evaluating(queue(BEFORE, ME), null, false);
        row(
                "not first: follows, and watches its own node too",
                second,
                replied(Purpose.RECORD, held(BEFORE, 30)),
                Following.class,
                "PREDECESSOR Get " + BEFORE + " watch",
                "OWN_NODE Get " + ME + " watch",
                "SendHeartbeat");
        row(
                "not first, no record: follows",
                second,
                replied(Purpose.RECORD, Reply.of(Code.NONODE)),
                Following.class,
                "PREDECESSOR Get " + BEFORE + " watch",
                "OWN_NODE Get " + ME + " watch",
                "SendHeartbeat");

        Evaluating first = evaluating(queue(ME, AFTER), null, true);
        row(
                "first and released: claims with the version read",
                first,
                replied(Purpose.RECORD, released(30)),
                Claiming.class,
                "CLAIM Multi(Check " + ME + ", Set leader v4, Set beat v-1)");
        row(
                "first, unarmed: the watch comes before the claim",
                evaluating(queue(ME), null, false),
                replied(Purpose.RECORD, released(30)),
                Claiming.class,
                "CLAIM Multi(Check " + ME + ", Set leader v4, Set beat v-1)");
        row(
                "first, held by another: waits 1.1 leases of the record from the list's answer",
                first,
                replied(Purpose.RECORD, held(BEFORE, 30)),
                AwaitingLeaseEnd.class,
                "RECORD Get leader watch",
                "Wake +2200ms");
        formerNode = BEFORE;
        row(
                "first, held by an earlier candidacy of ours: claims at once",
                first,
                replied(Purpose.RECORD, held(BEFORE, 30)),
                Claiming.class,
                "CLAIM Multi(Check " + ME + ", Set leader v4, Set beat v-1)");
        observed = OptionalLong.of(NOW.nanos() - 2_000_000_000L);
        row(
                "the last beat was seen 2 s ago: waits only the rest of its lease",
                evaluating(queue(ME), OTHER, true),
                replied(Purpose.RECORD, held(BEFORE, 30)),
                AwaitingLeaseEnd.class,
                "RECORD Get leader watch",
                "Wake +200ms");
        observed = OptionalLong.of(NOW.nanos() - 3_000_000_000L);
        row(
                "the last beat was seen longer ago than a lease: claims at once",
                evaluating(queue(ME), OTHER, true),
                replied(Purpose.RECORD, held(BEFORE, 30)),
                Claiming.class,
                "CLAIM Multi(Check " + ME + ", Set leader v4, Set beat v-1)");
        observed = OptionalLong.of(NOW.nanos() - 3_000_000_000L);
        row(
                "a sighting of somebody else than the holder: the full wait",
                evaluating(queue(ME), OTHER, true),
                replied(Purpose.RECORD, held("c-z-0000000002", 30)),
                AwaitingLeaseEnd.class,
                "RECORD Get leader watch",
                "Wake +2200ms");
        row(
                "F71 no unbroken sighting: the full wait",
                evaluating(queue(ME), OTHER, true),
                replied(Purpose.RECORD, held(BEFORE, 30)),
                AwaitingLeaseEnd.class,
                "RECORD Get leader watch",
                "Wake +2200ms");
        row(
                "F66 held by our own node: a beat will do",
                first,
                replied(Purpose.RECORD, held(ME, 70)),
                Named.class,
                "SendHeartbeat");
        row(
                "held by our own node and proven a moment ago: leads",
                first.with(SEAT.prove(RECENTLY)),
                replied(Purpose.RECORD, held(ME, 30)),
                Leading.class,
                "Granted 1",
                "when there is room LIST Children watch");
        row(
                "named before any list says that it is first: a beat will do",
                second.with(SEAT),
                replied(Purpose.RECORD, held(ME, 30)),
                Named.class,
                "SendHeartbeat");
        row(
                "I7 a record with a greater token: leaves and joins afresh",
                first,
                replied(Purpose.RECORD, record(LeaderRecord.released(71, 2_000), 75)),
                Leaving.class,
                "DELETE Delete " + ME,
                "RECORD Get");
        row(
                "a record with a token that is ahead of ZooKeeper's own numbers: tells that nobody can lead",
                first,
                replied(Purpose.RECORD, record(LeaderRecord.released(72, 2_000), 71)),
                Leaving.class,
                "Failed ElectionException",
                "DELETE Delete " + ME,
                "RECORD Get");
        row(
                "unreadable: waits the session timeout",
                first,
                replied(Purpose.RECORD, data("?".getBytes(StandardCharsets.UTF_8), 1)),
                AwaitingLeaseEnd.class,
                "RECORD Get leader watch",
                "Wake +9900ms");
        row(
                "F67 ended before it came: clears it away",
                first,
                replied(Purpose.RECORD, ended(60)),
                Leaving.class,
                "DELETE Delete " + ME,
                "RECORD Get");
        row(
                "F67 its node is gone: clears the ended election away",
                deleting(AfterLeaving.CLEAR),
                replied(Purpose.RECORD, ended(60)),
                Clearing.class,
                "Left confirmed",
                "DeleteEndedElection");
        row(
                "F67 cleared: joins afresh",
                new Clearing(),
                new Event.Cleared(null),
                Joining.class,
                "CREATE Create c-new-",
                "LIST Names + RECORD Get");
        row(
                "clearing is refused: told, tried later",
                new Clearing(),
                new Event.Cleared(new ElectionException("no")),
                Pending.class,
                "Failed ElectionException",
                "Wake");
        row(
                "ended after it came: the end",
                first,
                replied(Purpose.RECORD, ended(80)),
                Leaving.class,
                "Ended",
                "DELETE Delete " + ME,
                "RECORD Get");
        row(
                "F57 the record may not be read: told, tried later",
                first,
                replied(Purpose.RECORD, Reply.of(Code.NOAUTH)),
                Evaluating.class,
                "Failed ElectionException",
                "Wake");
        row("disconnected: nothing is known any more", first, new Event.Disconnected(true), Detached.class);
        return rows.stream();
    }

    @TestFactory
    Stream<DynamicTest> theMissingRecord() {
        Reply none = Reply.of(Code.NONODE);
        row(
                "nothing is known of the election node: asks for it",
                missing(null, null),
                replied(Purpose.RECORD, none),
                Evaluating.class,
                "STAT Exists orders");
        row(
                "an old election node from which nothing was deleted: claims at once",
                missing(stat(1, 1, -10_000), null),
                replied(Purpose.RECORD, none),
                Claiming.class,
                "CLAIM Multi(Check " + ME + ", Create leader, Set beat v-1)");
        row(
                "F64 something was deleted: waits the session timeout",
                missing(stat(3, 1, -10_000), null),
                replied(Purpose.RECORD, none),
                AwaitingLeaseEnd.class,
                "RECORD Get leader watch",
                "Wake +9900ms");
        row(
                "a young election node: asks for its parent",
                missing(stat(1, 1, 0), null),
                replied(Purpose.RECORD, none),
                Evaluating.class,
                "STAT Exists e");
        row(
                "a young node under an old one without deletions: claims at once",
                missing(stat(1, 1, 0), stat(5, 5, -10_000)),
                replied(Purpose.RECORD, none),
                Claiming.class,
                "CLAIM Multi(Check " + ME + ", Create leader, Set beat v-1)");
        row(
                "F64 a young node under one from which something was deleted: waits",
                missing(stat(1, 1, 0), stat(7, 5, -10_000)),
                replied(Purpose.RECORD, none),
                AwaitingLeaseEnd.class,
                "RECORD Get leader watch",
                "Wake +9900ms");
        return rows.stream();
    }

    @TestFactory
    Stream<DynamicTest> following() {
        Following following = new Following(SEAT, REQUEST, new Predecessor("/e/orders/" + BEFORE), null);
        row(
                "F2 the predecessor goes: reads whether it was named, and beats",
                following,
                changed(BEFORE, EventType.NodeDeleted),
                Evaluating.class,
                "LIST Names + RECORD Get",
                "SendHeartbeat");
        row(
                "the predecessor goes, and the own node was proven a moment ago: reads whether it was named",
                following.with(SEAT.prove(RECENTLY)),
                changed(BEFORE, EventType.NodeDeleted),
                Evaluating.class,
                "LIST Names + RECORD Get");
        row(
                "the predecessor goes, and the own watch is not known to be set: sets it before the beat",
                following.with(SEAT.arm(false).prove(RECENTLY)),
                changed(BEFORE, EventType.NodeDeleted),
                Evaluating.class,
                "OWN_NODE Get " + ME + " watch",
                "LIST Names + RECORD Get",
                "SendHeartbeat");
        Evaluating succeeding = evaluating(queue(ME), OTHER, true);
        row(
                "named by its predecessor: a beat will do",
                succeeding,
                replied(Purpose.RECORD, held(ME, 30)),
                Named.class,
                "SendHeartbeat");
        row(
                "named by its predecessor and proven: leads, and lists the queue",
                succeeding.with(SEAT.prove(RECENTLY)),
                replied(Purpose.RECORD, held(ME, 30)),
                Leading.class,
                "Granted 1",
                "when there is room LIST Children watch");
        row(
                "the record's answer is lost: waits for the connection",
                succeeding,
                replied(Purpose.RECORD, Reply.of(Code.CONNECTIONLOSS)),
                Evaluating.class);
        row(
                "its own node goes while it succeeds: asks why",
                succeeding,
                changed(ME, EventType.NodeDeleted),
                NodeLost.class,
                "STAT Exists orders",
                "RECORD Get");
        row("a beat while it succeeds", succeeding, new Event.Acknowledged(RECENTLY), Evaluating.class);
        row("disconnected while it succeeds", succeeding, new Event.Disconnected(true), Detached.class);
        row(
                "rechecked while it succeeds: lists afresh",
                succeeding,
                new Event.Recheck(),
                Evaluating.class,
                "LIST Names + RECORD Get");
        row("somebody else goes: nothing", following, changed(FIRST, EventType.NodeDeleted), Following.class);
        row(
                "F42 the predecessor is gone before it could be watched: lists",
                following,
                replied(Purpose.PREDECESSOR, Reply.of(Code.NONODE)),
                Evaluating.class,
                "LIST Names + RECORD Get");
        row(
                "the predecessor's data change: watches again",
                following,
                changed(BEFORE, EventType.NodeDataChanged),
                Following.class,
                "PREDECESSOR Get " + BEFORE + " watch");
        row(
                "F21 its own node goes: asks why",
                following,
                changed(ME, EventType.NodeDeleted),
                NodeLost.class,
                "STAT Exists orders",
                "RECORD Get");
        row(
                "its own watch is taken away: set again",
                following,
                changed(ME, EventType.DataWatchRemoved),
                Following.class,
                "OWN_NODE Get " + ME + " watch");
        row(
                "F36 the predecessor is no candidate: told",
                following,
                replied(Purpose.PREDECESSOR, data(new byte[0], 1)),
                Following.class,
                "Failed ElectionException");
        row(
                "the predecessor is an ordinary candidate",
                following,
                replied(Purpose.PREDECESSOR, own(SESSION + 1)),
                Following.class);
        row(
                "rechecked, and no watch on its predecessor is known to be set: verifies by listing, and sets its watches again",
                following,
                new Event.Recheck(),
                Evaluating.class,
                "OWN_NODE Get " + ME + " watch",
                "LIST Names + RECORD Get");
        Following settled = new Following(SEAT, REQUEST, OTHER, null);
        row(
                "rechecked while all is well: verifies by listing, when it is convenient",
                settled,
                new Event.Recheck(),
                Evaluating.class,
                "at leisure LIST Names + RECORD Get");
        row(
                "verified: follows on, and asks for nothing",
                verifying(settled, BEFORE, ME),
                replied(Purpose.RECORD, held(BEFORE, 30)),
                Following.class);
        row(
                "verified, but somebody else is before it: a watch has failed to tell, watches that one",
                verifying(settled, FIRST, ME),
                replied(Purpose.RECORD, held(FIRST, 20)),
                Following.class,
                "PREDECESSOR Get " + FIRST + " watch");
        row(
                "verified, but nobody is before it: a watch has failed to tell, claims",
                verifying(settled, ME),
                replied(Purpose.RECORD, released(30)),
                Claiming.class,
                "CLAIM Multi(Check " + ME + ", Set leader v4, Set beat v-1)");
        row(
                "F36 verified, but its predecessor does not lead: reads it again",
                verifying(settled, BEFORE, ME),
                replied(Purpose.RECORD, released(30)),
                Following.class,
                "PREDECESSOR Get " + BEFORE + " watch");
        row(
                "its own watch is taken away while it verifies: sets all of them again",
                verifying(settled.with(SEAT.arm(false)), BEFORE, ME),
                replied(Purpose.RECORD, held(BEFORE, 30)),
                Following.class,
                "PREDECESSOR Get " + BEFORE + " watch",
                "OWN_NODE Get " + ME + " watch",
                "SendHeartbeat");
        row(
                "F57 its own watch could not be set until it verified: all of them are set again, and what was told is over",
                new Evaluating(
                        SEAT,
                        REQUEST,
                        new QueueReads(queue(BEFORE, ME), null, Map.of()),
                        OTHER,
                        settled.with(SEAT.arm(false)),
                        null),
                replied(Purpose.RECORD, held(BEFORE, 30)),
                Following.class,
                "PREDECESSOR Get " + BEFORE + " watch");
        row(
                "F57 the predecessor cannot be watched any more: told, and tried again with each recheck",
                new Following(SEAT, REQUEST, OTHER.unwatched(), null),
                replied(Purpose.PREDECESSOR, Reply.of(Code.NOAUTH)),
                Following.class,
                "Failed ElectionException");
        row(
                "the predecessor's data change while it verifies: watches again",
                verifying(settled, BEFORE, ME),
                changed(BEFORE, EventType.NodeDataChanged),
                Following.class,
                "PREDECESSOR Get " + BEFORE + " watch");
        row(
                "the predecessor goes while it verifies: reads whether it was named, and beats",
                verifying(settled, BEFORE, ME),
                changed(BEFORE, EventType.NodeDeleted),
                Evaluating.class,
                "LIST Names + RECORD Get",
                "SendHeartbeat");
        row("a beat: counts if it is named soon", following, new Event.Acknowledged(RECENTLY), Following.class);
        row("disconnected", following, new Event.Disconnected(true), Detached.class);
        row("expired: a new session, a new candidacy", following, new Event.Expired(), Pending.class);
        row(
                "reconnected: lists afresh",
                new Detached(SEAT.arm(false), 0, null),
                new Event.Connected(),
                Evaluating.class,
                "LIST Names + RECORD Get");
        hasRoom = false;
        row(
                "reconnected with many others: waits for its turn",
                new Detached(SEAT.arm(false), 0, null),
                new Event.Connected(),
                Detached.class,
                "WakeWhenThereIsRoom");
        row(
                "its turn: lists afresh",
                new Detached(SEAT.arm(false), REQUEST, null),
                woken(),
                Evaluating.class,
                "LIST Names + RECORD Get");
        connected = false;
        row("its turn, but disconnected again", new Detached(SEAT, REQUEST, null), woken(), Detached.class);
        row(
                "leaves: deletes its node, and looks whether it was named",
                following,
                leave(AfterLeaving.OBSERVE),
                Leaving.class,
                "CLEAN_UP RemoveWatches " + BEFORE,
                "DELETE Delete " + ME,
                "RECORD Get");
        terms = 3;
        row(
                "I6 leaves after an earlier term: what that admitted is drained first",
                following,
                leave(AfterLeaving.OBSERVE),
                Leaving.class,
                "CLEAN_UP RemoveWatches " + BEFORE,
                "Drain 3");
        return rows.stream();
    }

    @TestFactory
    Stream<DynamicTest> claiming() {
        Claiming claiming = new Claiming(SEAT, REQUEST, queue(ME), 4, RECENTLY, LEASE);
        row(
                "the wait is over: claims",
                new AwaitingLeaseEnd(SEAT, REQUEST, queue(ME), 4, NOW.nanos()),
                woken(),
                Claiming.class,
                "CLAIM Multi(Check " + ME + ", Set leader v4, Set beat v-1)");
        AwaitingLeaseEnd waiting = new AwaitingLeaseEnd(SEAT, REQUEST, queue(ME), 4, NOW.nanos() + 1_000_000_000L);
        row(
                "the record changes while it waits: looks again",
                waiting,
                new Event.Changed("/e/orders/leader", EventType.NodeDataChanged),
                Evaluating.class,
                "LIST Names + RECORD Get");
        row("F43 disconnected while it waits: the time counts", waiting, new Event.Disconnected(true), Detached.class);
        row(
                "F43 nothing has changed when it is connected again: waits the rest",
                new Evaluating(SEAT, REQUEST, new QueueReads(queue(ME), null, Map.of()), null, null, waiting),
                replied(Purpose.RECORD, held(BEFORE, 30)),
                AwaitingLeaseEnd.class,
                "RECORD Get leader watch",
                "Wake +1000ms");
        row(
                "granted: the lease runs from the sending",
                claiming,
                replied(Purpose.CLAIM, Reply.of(Code.OK)),
                Leading.class,
                "Granted 1",
                "when there is room LIST Children watch");
        row(
                "granted, but too late: needs a fresh proof",
                new Claiming(SEAT, REQUEST, queue(ME), 4, LONG_AGO, LEASE),
                replied(Purpose.CLAIM, Reply.of(Code.OK)),
                Named.class,
                "SendHeartbeat");
        row(
                "granted before its watch is armed: leads, since the claim has checked the node",
                claiming.with(SEAT.arm(false)),
                replied(Purpose.CLAIM, Reply.of(Code.OK)),
                Leading.class,
                "Granted 1",
                "OWN_NODE Get " + ME + " watch",
                "when there is room LIST Children watch");
        row(
                "F70 granted too late, and its watch is not armed: sets it, and needs a fresh proof",
                new Claiming(SEAT.arm(false), REQUEST, queue(ME), 4, LONG_AGO, LEASE),
                replied(Purpose.CLAIM, Reply.of(Code.OK)),
                Named.class,
                "OWN_NODE Get " + ME + " watch",
                "SendHeartbeat");
        row(
                "somebody else wrote the record: looks again",
                claiming,
                replied(Purpose.CLAIM, Reply.of(Code.BADVERSION)),
                Evaluating.class,
                "LIST Names + RECORD Get");
        row(
                "F72 the beat is gone: made again",
                claiming,
                replied(Purpose.CLAIM, Reply.of(Code.NONODE)),
                Evaluating.class,
                "CreateHeartbeat",
                "Wake");
        row(
                "its node goes meanwhile",
                claiming,
                changed(ME, EventType.NodeDeleted),
                NodeLost.class,
                "STAT Exists orders",
                "RECORD Get");
        Named named = new Named(SEAT, queue(ME), 4, LEASE);
        row(
                "named and proven: leads",
                named,
                new Event.Acknowledged(RECENTLY),
                Leading.class,
                "Granted 1",
                "when there is room LIST Children watch");
        row(
                "F70 named, but not armed: a beat proves nothing",
                named.with(SEAT.arm(false)),
                new Event.Acknowledged(RECENTLY),
                Named.class);
        row(
                "F63 named by a record with a shorter lease: goes by that",
                new Named(SEAT, queue(ME), 4, 1_000),
                new Event.Acknowledged(RECENTLY),
                Leading.class,
                "Granted 1",
                "when there is room LIST Children watch");
        return rows.stream();
    }

    @TestFactory
    Stream<DynamicTest> leading() {
        Leading leading = leadingStage(RECENTLY);
        row("acknowledged: goes on, and tells nobody", leading, new Event.Acknowledged(NOW), Leading.class);
        row(
                "acknowledged after the lease had ended: that term is over, another may begin",
                leadingStage(LONG_AGO),
                new Event.Acknowledged(NOW),
                Evaluating.class,
                "Revoked 3 CONNECTION_LOST",
                "LIST Names + RECORD Get");
        row(
                "the lease ends: over",
                leadingStage(LONG_AGO),
                new Event.Lapsed(3),
                Evaluating.class,
                "Revoked 3 CONNECTION_LOST",
                "LIST Names + RECORD Get");
        row("the lease of an earlier term has ended: nothing", leading, new Event.Lapsed(2), Leading.class);
        connected = false;
        row(
                "F1 the lease ends while disconnected: over, the node stays",
                leadingStage(LONG_AGO),
                new Event.Lapsed(3),
                Detached.class,
                "Revoked 3 CONNECTION_LOST");
        queueWatched = true;
        row("there is time, and nothing to do", leading, woken(), Leading.class);
        queueWatched = true;
        row(
                "its node is watched late: beats at once",
                leading.with(SEAT.arm(false).prove(new Moment(NOW.nanos() - LEASE * 700_000, NOW.millis()))),
                replied(Purpose.OWN_NODE, own(SESSION)),
                Leading.class,
                "SendHeartbeat");
        row(
                "F70 acknowledged while its watch is not armed: proves nothing",
                leading.with(SEAT.arm(false).prove(RECENTLY)),
                new Event.Acknowledged(NOW),
                Leading.class);
        row(
                "F56 not admitted any more while its watch is set: that is for the connection to tell",
                leading.with(SEAT.arm(false).prove(RECENTLY)),
                replied(Purpose.OWN_NODE, Reply.of(Code.AUTHFAILED)),
                Leading.class);
        row("disconnected: leads on", leading, new Event.Disconnected(true), Leading.class);
        rows.add(DynamicTest.dynamicTest("disconnected: what the client does not set again is not watched", () -> {
            assertThat(watchesAfter(new Event.Disconnected(true))).isEqualTo("own node true, queue true");
            assertThat(watchesAfter(new Event.Disconnected(false))).isEqualTo("own node false, queue false");
        }));
        row(
                "rechecked, the queue is not watched: sets its watches, and reads what they would tell",
                leading,
                new Event.Recheck(),
                Leading.class,
                "OWN_NODE Get " + ME + " watch",
                "LIST Children watch",
                "RECORD Get");
        queueWatched = true;
        row(
                "rechecked while all is well: verifies by listing, when it is convenient",
                leading,
                new Event.Recheck(),
                Leading.class,
                "at leisure LIST Names + RECORD Get");
        queueWatched = true;
        row("verified: leads on, and asks for nothing", leading, glanced(ME, AFTER), Leading.class);
        queueWatched = true;
        row(
                "verified, but its heir is another one: a watch has failed to tell, all of them are set again",
                leading,
                glanced(ME, "c-x-0000000009"),
                Leading.class,
                "OWN_NODE Get " + ME + " watch",
                "LIST Children watch",
                "RECORD Get");
        row(
                "verified, and a newcomer is being listed already: that will do",
                leading,
                glanced(ME, BEFORE),
                Leading.class);
        queueWatched = true;
        row(
                "verified, but its own node is gone: leads no more, and asks why",
                leading,
                glanced(AFTER),
                NodeLost.class,
                "STAT Exists orders",
                "RECORD Get");
        queueWatched = true;
        row(
                "reconnected in time, all watches were kept: beats, and makes sure when it is convenient",
                leading,
                new Event.Connected(),
                Leading.class,
                "SendHeartbeat",
                "when there is room OWN_NODE Get " + ME + " watch",
                "at leisure LIST Names + RECORD Get");
        row(
                "reconnected in time, the queue was not watched: it soon is",
                leading,
                new Event.Connected(),
                Leading.class,
                "SendHeartbeat",
                "when there is room OWN_NODE Get " + ME + " watch",
                "when there is room LIST Children watch",
                "at leisure LIST Names + RECORD Get");
        row(
                "reconnected in time, its own node is not watched: sets the watch before the beat",
                leading.with(SEAT.arm(false).prove(RECENTLY)),
                new Event.Connected(),
                Leading.class,
                "OWN_NODE Get " + ME + " watch",
                "SendHeartbeat",
                "when there is room LIST Children watch",
                "at leisure LIST Names + RECORD Get");
        row(
                "F9 its node goes: leads no more, and asks why",
                leading,
                changed(ME, EventType.NodeDeleted),
                NodeLost.class,
                "STAT Exists orders",
                "RECORD Get");
        connected = false;
        row(
                "its node goes, which is learnt after the connection was lost: tells what it knows",
                leading,
                changed(ME, EventType.NodeDeleted),
                NodeLost.class,
                "Revoked 3 NODE_LOST");
        row(
                "F52 another kind of event on its node: the watch is set again",
                leading,
                changed(ME, EventType.NodeDataChanged),
                Leading.class,
                "OWN_NODE Get " + ME + " watch");
        row(
                "candidates come and go: lists them",
                leading,
                new Event.Changed("/e/orders", EventType.NodeChildrenChanged),
                Leading.class,
                "LIST Children watch");
        row("expired", leading, new Event.Expired(), Pending.class, "Revoked 3 SESSION_EXPIRED");
        row(
                "F46 a listener refuses: gives up, and drains",
                leading,
                new Event.Refused(3),
                Leaving.class,
                "Revoked 3 LISTENER_FAILED",
                "Drain 3");
        row("a listener refused an earlier term: nothing", leading, new Event.Refused(2), Leading.class);
        row(
                "a listing without its node: lost",
                leading,
                replied(Purpose.LIST, children(AFTER)),
                NodeLost.class,
                "STAT Exists orders",
                "RECORD Get");
        row(
                "somebody overwrote the record: gives up, and claims afresh",
                leading,
                replied(Purpose.RECORD, held(BEFORE, 30)),
                Evaluating.class,
                "Revoked 3 NODE_LOST",
                "LIST Names + RECORD Get");

        NodeLost nodeLost = new NodeLost(SEAT, REQUEST, 3);
        row(
                "its node is lost: tells, and joins afresh",
                nodeLost,
                replied(Purpose.RECORD, held(ME, 70)),
                Joining.class,
                "Revoked 3 NODE_LOST",
                "CREATE Create c-new-",
                "LIST Names + RECORD Get");
        row(
                "the election has ended: tells, and drains",
                nodeLost,
                replied(Purpose.RECORD, ended(80)),
                Leaving.class,
                "Revoked 3 ENDED",
                "Ended",
                "Drain 3");
        row(
                "the election node is gone: ended",
                nodeLost,
                replied(Purpose.STAT, Reply.of(Code.NONODE)),
                Leaving.class,
                "Revoked 3 ENDED",
                "Ended",
                "Drain 3");
        row(
                "cut off before it learns why: tells what it knows",
                nodeLost,
                new Event.Disconnected(true),
                NodeLost.class,
                "Revoked 3 NODE_LOST");
        return rows.stream();
    }

    @TestFactory
    Stream<DynamicTest> leaving() {
        row(
                "a leader resigns: tells and drains; nothing is sent yet",
                leadingStage(RECENTLY),
                leave(AfterLeaving.CLOSE),
                Leaving.class,
                "Revoked 3 RESIGNED",
                "Drain 3");
        Leaving draining = draining(AfterLeaving.CLOSE, queue(ME, AFTER));
        row(
                "drained: hands over to the next in line",
                draining,
                new Event.Drained(3),
                Leaving.class,
                "HAND_OVER Multi(Delete " + ME + ", Check " + AFTER + ", Set leader v4)");
        row(
                "drained, nobody else there: releases",
                draining(AfterLeaving.CLOSE, queue(ME)),
                new Event.Drained(3),
                Leaving.class,
                "HAND_OVER Multi(Delete " + ME + ", Set leader v4)");
        row("another term drained: nothing", draining, new Event.Drained(2), Leaving.class);
        connected = false;
        row("drained while disconnected: waits for the connection", draining, new Event.Drained(3), Leaving.class);
        Leaving handingOver = handingOver(AfterLeaving.CLOSE, queue(ME, AFTER));
        row(
                "handed over: done",
                handingOver,
                replied(Purpose.HAND_OVER, Reply.of(Code.OK)),
                Closed.class,
                "Left confirmed");
        row(
                "stepped down: lets its heir in before it joins again at the end",
                handingOver(AfterLeaving.REJOIN, queue(ME, AFTER)),
                replied(Purpose.HAND_OVER, Reply.of(Code.OK)),
                Pending.class,
                "Left confirmed",
                "Wake +5ms");
        row(
                "stepped down without an heir: joins again",
                handingOver(AfterLeaving.REJOIN, null),
                replied(Purpose.HAND_OVER, Reply.of(Code.OK)),
                Joining.class,
                "Left confirmed",
                "CREATE Create c-new-",
                "LIST Names + RECORD Get");
        row(
                "the heir is gone: looks for the next",
                handingOver,
                replied(Purpose.HAND_OVER, Reply.of(Code.NONODE)),
                Leaving.class,
                "BARRIER Set beat v-1",
                "LIST Names + RECORD Get");
        row(
                "F65 the answer is lost: never leads again, and looks when connected",
                handingOver,
                new Event.Disconnected(true),
                Leaving.class);
        row(
                "F29 connected again: looks what is left to do",
                parked(AfterLeaving.CLOSE),
                new Event.Connected(),
                Leaving.class,
                "BARRIER Set beat v-1",
                "LIST Names + RECORD Get");
        Leaving looking = inspecting(AfterLeaving.CLOSE, queue(ME, AFTER));
        row(
                "its node is there and named in the record: hands over",
                looking,
                replied(Purpose.RECORD, held(ME, 70)),
                Leaving.class,
                "HAND_OVER Multi(Delete " + ME + ", Check " + AFTER + ", Set leader v4)");
        row(
                "its node is there, the record another's: deletes it",
                looking,
                replied(Purpose.RECORD, released(80)),
                Leaving.class,
                "DELETE Delete " + ME,
                "LIST Names + RECORD Get");
        Inspecting unknown =
                new Inspecting(new Departure(CANDIDACY, null, AfterLeaving.CLOSE, 0), REQUEST, queue(ME, AFTER));
        row(
                "named before it knew its node: asks for that first",
                unknown,
                replied(Purpose.RECORD, held(ME, 30)),
                Leaving.class,
                "OWN_NODE Get");
        row(
                "now it knows it: looks again, to hand over",
                unknown,
                replied(Purpose.OWN_NODE, own(SESSION)),
                Leaving.class,
                "BARRIER Set beat v-1",
                "LIST Names + RECORD Get");
        row(
                "not named, and did not know its node: deletes it",
                unknown,
                replied(Purpose.RECORD, held(AFTER, 30)),
                Leaving.class,
                "DELETE Delete " + ME,
                "LIST Names + RECORD Get");
        Leaving gone = inspecting(AfterLeaving.CLOSE, queue(AFTER));
        row(
                "its node is gone, the record names it: releases",
                gone,
                replied(Purpose.RECORD, held(ME, 70)),
                Leaving.class,
                "RELEASE Set leader v4");
        row(
                "nothing is left of it: done",
                gone,
                replied(Purpose.RECORD, held(AFTER, 70)),
                Closed.class,
                "Left confirmed");
        row(
                "the election ended meanwhile: acknowledges",
                gone,
                replied(Purpose.RECORD, record(new LeaderRecord(LeaderRecord.State.ENDED, ME, 70, 2_000, false), 80)),
                Leaving.class,
                "Ended",
                "RELEASE Set leader v4");
        row(
                "expired: gone with its session, which nobody confirmed",
                handingOver,
                new Event.Expired(),
                Closed.class,
                "Left unconfirmed");
        row(
                "F57 the record must not be written: better no heir than a node that blocks everyone",
                handingOver,
                replied(Purpose.HAND_OVER, Reply.of(Code.NOAUTH)),
                Leaving.class,
                "DELETE Delete " + ME,
                "RECORD Get");
        row(
                "F58 the queue is too long to be read: better no heir than a node that blocks everyone",
                inspecting(AfterLeaving.REJOIN, null),
                replied(Purpose.LIST, Reply.of(Code.MARSHALLINGERROR)),
                Leaving.class,
                "DELETE Delete " + ME,
                "RECORD Get");
        row(
                "F57 the node must not be deleted: told, tried later",
                deleting(AfterLeaving.CLOSE),
                replied(Purpose.DELETE, Reply.of(Code.NOAUTH)),
                Leaving.class,
                "Failed ElectionException",
                "Wake");
        row(
                "F41 nominated while withdrawing: joins again when it has left",
                handingOver(AfterLeaving.OBSERVE, null),
                new Event.Nominate(),
                Leaving.class);
        row(
                "F30 leaves while its create is under way: looks for the node after it",
                joiningStage(),
                leave(AfterLeaving.CLOSE),
                Leaving.class,
                "BARRIER Set beat v-1",
                "LIST Names + RECORD Get");
        terms = 3;
        row(
                "an observer closes: it has drained",
                new Observing(),
                leave(AfterLeaving.CLOSE),
                Closed.class,
                "Left confirmed");
        row("closed: nothing happens any more", new Closed(false), leave(AfterLeaving.CLOSE), Closed.class);
        row("closed: not even after a reconnect", new Closed(false), new Event.Connected(), Closed.class);
        return rows.stream();
    }

    @TestFactory
    Stream<DynamicTest> retiring() {
        terms = 3;
        row(
                "leaves after an expiry: what the last term admitted may still be running",
                new Pending(0, true),
                leave(AfterLeaving.CLOSE),
                Retiring.class,
                "Drain 3");
        row(
                "leaves, and has never led: nothing to drain",
                new Pending(0, true),
                leave(AfterLeaving.CLOSE),
                Closed.class,
                "Left unconfirmed");
        terms = 3;
        row(
                "leaves before it knows why its node is gone: tells, and drains",
                new NodeLost(SEAT, REQUEST, 3),
                leave(AfterLeaving.CLOSE),
                Retiring.class,
                "Revoked 3 RESIGNED",
                "Drain 3");
        row(
                "expires while it drains: goes on draining",
                draining(AfterLeaving.CLOSE, null),
                new Event.Expired(),
                Retiring.class);
        connected = false;
        row(
                "expires while it drains to join again: joins at once, and the drain goes on",
                draining(AfterLeaving.REJOIN, null),
                new Event.Expired(),
                Pending.class,
                "Left unconfirmed");
        Inspecting undrained = new Inspecting(new Departure(CANDIDACY, null, AfterLeaving.CLOSE, 3), REQUEST, queue());
        terms = 3;
        row(
                "leaves while its create is under way: drains meanwhile",
                joiningStage(),
                leave(AfterLeaving.CLOSE),
                Leaving.class,
                "Drain 3",
                "BARRIER Set beat v-1",
                "LIST Names + RECORD Get");
        row(
                "has taken back its create, and not drained yet",
                undrained,
                replied(Purpose.RECORD, released(80)),
                Retiring.class);
        row(
                "drained before it has taken back its create: goes on with that",
                undrained,
                new Event.Drained(3),
                Leaving.class);
        row(
                "drained, and has taken back its create: has left",
                undrained.with(undrained.departure().drained()),
                replied(Purpose.RECORD, released(80)),
                Closed.class,
                "Left confirmed");
        rows.add(DynamicTest.dynamicTest("joins again, and remembers that its node may still be there", () -> {
            assertThat(unconfirmed(AfterLeaving.REJOIN).nodeLeftBehind()).isTrue();
            assertThat(unconfirmed(AfterLeaving.PAUSE).nodeLeftBehind()).isTrue();
        }));
        terms = 3;
        row(
                "the election has ended, and it does not lead any more: drains",
                new NodeLost(SEAT, REQUEST, 0),
                replied(Purpose.RECORD, ended(80)),
                Retiring.class,
                "Ended",
                "Drain 3");
        terms = 3;
        row(
                "this process deletes the election between two sessions: drains",
                new Pending(0, false),
                new Event.Deleted(),
                Retiring.class,
                "Ended",
                "Drain 3");
        Retiring closing = new Retiring(AfterLeaving.CLOSE, false, 3);
        row("drained: has left", closing, new Event.Drained(3), Closed.class, "Left unconfirmed");
        row("another term drained: nothing", closing, new Event.Drained(2), Retiring.class);
        row("the session is none of its business", closing, new Event.Expired(), Retiring.class);
        row("leaving is begun once", closing, leave(AfterLeaving.OBSERVE), Retiring.class);
        Retiring withdrawing = new Retiring(AfterLeaving.OBSERVE, true, 3);
        row("drained: observes", withdrawing, new Event.Drained(3), Observing.class, "Left confirmed");
        row("nominated while it drains: not before that", withdrawing, new Event.Nominate(), Retiring.class);
        row(
                "drained, and nominated meanwhile: joins",
                withdrawing.then(AfterLeaving.REJOIN),
                new Event.Drained(3),
                Joining.class,
                "Left confirmed",
                "CREATE Create c-new-",
                "LIST Names + RECORD Get");
        row("deleted by us while it drains", withdrawing, new Event.Deleted(), Retiring.class, "Ended");
        return rows.stream();
    }

    // stages

    private static Joining joiningStage() {
        return new Joining(CANDIDACY, REQUEST, Parents.NONE, null);
    }

    private static Evaluating evaluating(CandidateQueue queue, Predecessor last, boolean armed) {
        return new Evaluating(SEAT.arm(armed), REQUEST, new QueueReads(queue, null, Map.of()), last, null, null);
    }

    private static Evaluating verifying(Following following, String... nodes) {
        QueueReads found = new QueueReads(queue(nodes), null, Map.of());
        return new Evaluating(following.ownNode(), REQUEST, found, following.predecessor(), following, null);
    }

    private static Evaluating missing(Stat election, Stat parent) {
        CandidateQueue queue = CandidateQueue.of(List.of(ME), election, NOW.nanos());
        Map<String, Stat> stats = parent == null ? Map.of() : Map.of("/e", parent);
        return new Evaluating(SEAT, REQUEST, new QueueReads(queue, null, stats), null, null, null);
    }

    private static Leading leadingStage(Moment provenAt) {
        return new Leading(SEAT.prove(provenAt), REQUEST, new Successor(2, AFTER), 4, LEASE, LEASE, 3, NOW.millis());
    }

    private static Departure departure(AfterLeaving then, long term) {
        return Departure.of(SEAT, then, term);
    }

    private static Draining draining(AfterLeaving then, CandidateQueue queue) {
        return new Draining(departure(then, 3), queue == null ? null : queue.successor(ME), 4);
    }

    private static Inspecting inspecting(AfterLeaving then, CandidateQueue queue) {
        return new Inspecting(departure(then, 0), REQUEST, queue);
    }

    private static HandingOver handingOver(AfterLeaving then, CandidateQueue queue) {
        return new HandingOver(departure(then, 0), REQUEST, queue != null);
    }

    private static Deleting deleting(AfterLeaving then) {
        return new Deleting(departure(then, 0), REQUEST);
    }

    private static Parked parked(AfterLeaving then) {
        return new Parked(departure(then, 0), REQUEST);
    }

    // signals

    private static Event woken() {
        return new Event.Woken(REQUEST);
    }

    private static Event leave(AfterLeaving then) {
        return new Event.Leave(RevocationReason.RESIGNED, then);
    }

    private static Event changed(String node, EventType type) {
        return new Event.Changed("/e/orders/" + node, type);
    }

    /** What a leader that verifies is told. */
    private static Event glanced(String... nodes) {
        Command.Send read = new Command.Send(Purpose.LIST, REQUEST, new Request.Names("/e/orders"));
        return new Event.Replied(read, Reply.names(List.of(nodes)));
    }

    private static Event replied(Purpose purpose, Reply reply) {
        Request request = purpose == Purpose.LIST
                ? new Request.Children("/e/orders", false)
                : new Request.Get("/e/orders/" + ME, false);
        return new Event.Replied(new Command.Send(purpose, REQUEST, request), reply);
    }

    // replies

    private static Reply created() {
        Stat stat = new Stat();
        stat.setCzxid(MY_CZXID);
        return Reply.created("/e/orders/" + ME, stat);
    }

    private static Reply own(long owner) {
        Stat stat = new Stat();
        stat.setCzxid(MY_CZXID);
        stat.setEphemeralOwner(owner);
        return Reply.data(new byte[0], stat);
    }

    private static Reply children(String... names) {
        return Reply.children(List.of(names), new Stat());
    }

    private static CandidateQueue queue(String... names) {
        return CandidateQueue.of(Arrays.asList(names), new Stat(), NOW.nanos());
    }

    private static Reply held(String holder, long token) {
        return record(LeaderRecord.held(holder, token, 2_000), 1);
    }

    private static Reply released(long token) {
        return record(LeaderRecord.released(token, 2_000), 1);
    }

    private static Reply ended(long mzxid) {
        return record(LeaderRecord.held(BEFORE, 30, 2_000).ended(), mzxid);
    }

    private static Reply record(LeaderRecord record, long mzxid) {
        return data(record.toJson(), mzxid);
    }

    private static Reply data(byte[] data, long mzxid) {
        Stat stat = new Stat();
        stat.setVersion(4);
        stat.setMzxid(mzxid);
        return Reply.data(data, stat);
    }

    private static Stat stat(int cversion, int children, long ctimeOffset) {
        Stat stat = new Stat();
        stat.setCzxid(9);
        stat.setCversion(cversion);
        stat.setNumChildren(children);
        stat.setCtime(NOW.millis() + ctimeOffset);
        return stat;
    }

    // commands in short

    private static String describe(Command command) {
        if (command instanceof Command.Send send) {
            return send.purpose() + " " + inShort(send.request());
        } else if (command instanceof Command.ReadTogether together) {
            return (together.urgent() ? "" : "at leisure ")
                    + together.reads().stream().map(ProtocolTests::describe).collect(Collectors.joining(" + "));
        } else if (command instanceof Command.SendWhenThereIsRoom later) {
            return "when there is room " + describe(later.send());
        } else if (command instanceof Command.WakeAt wake) {
            long millis = (wake.nanos() - NOW.nanos()) / 1_000_000;
            return millis == 250 ? "Wake" : "Wake +" + millis + "ms";
        } else if (command instanceof Command.Granted granted) {
            return "Granted " + granted.term();
        } else if (command instanceof Command.Revoked revoked) {
            return "Revoked " + revoked.term() + " " + revoked.reason();
        } else if (command instanceof Command.Drain drain) {
            return "Drain " + drain.term();
        } else if (command instanceof Command.Left left) {
            return "Left " + (left.confirmed() ? "confirmed" : "unconfirmed");
        } else if (command instanceof Command.Failed failed) {
            return "Failed " + failed.cause().getClass().getSimpleName();
        }
        return command.getClass().getSimpleName();
    }

    private static String inShort(Request request) {
        String type = request.getClass().getSimpleName();
        String node = Paths.name(request.path());
        if (request instanceof Request.Multi multi) {
            return multi.parts().stream().map(ProtocolTests::inShort).collect(Collectors.joining(", ", "Multi(", ")"));
        } else if (request instanceof Request.Names) {
            return type;
        } else if (request instanceof Request.Set set) {
            return type + " " + node + " v" + set.version();
        } else if (request instanceof Request.Get get) {
            return get.watch() ? type + " " + node + " watch" : type;
        } else if (request instanceof Request.Children children) {
            return children.watch() ? type + " watch" : type;
        }
        return type + " " + node;
    }
}
