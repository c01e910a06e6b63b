package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.HandOverRequest;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;

/** The setting of all rows: our candidate, its neighbours in the queue, a time that stands still, events and replies. */
final class Fixture {

    private Fixture() {}

    // nodes

    static final String ELECTION = "/e/orders";
    static final String HEARTBEAT_PATH = "/b/beat";

    /** In the order of the queue. */
    static final String FIRST = "c-w-0000000001";

    static final String BEFORE = "c-x-0000000003";
    static final String ME = "c-me-0000000007";
    static final String AFTER = "c-y-0000000009";
    static final String LAST = "c-z-0000000011";

    /** Another node with our GUID, from a create whose reply was lost. */
    static final String OLDER_TWIN = "c-me-0000000004";

    static final String YOUNGER_TWIN = "c-me-0000000008";

    /** A node of a former candidacy of our connection. */
    static final String ORPHAN = "c-me.1-0000000002";

    static final long SESSION = 77;
    static final long OTHERS_SESSION = 78;
    static final Candidacy CANDIDACY = new Candidacy("me", SESSION);
    static final Candidacy NEW_CANDIDACY = new Candidacy("new", SESSION);
    static final long MY_CZXID = 70;

    /** The candidate before ours, once its node was read. */
    static final Predecessor OTHER = new Predecessor(path(BEFORE), "/b/other", true, OTHERS_SESSION, false, null);

    static final Predecessor OTHER_UNWATCHED = OTHER.unwatched();
    static final Predecessor OTHER_UNREAD = new Predecessor(path(BEFORE));

    /** The data of any other candidate's node. */
    static final byte[] OTHERS_DATA = new CandidateData("other", "", Map.of(), OTHER.heartbeat()).toJson();

    /** The version of the data of any candidate's node. */
    static final int DATA_VERSION = 2;

    /** The queue has two candidates: the leader and its heir. */
    static final Succession HEIR = new Succession(2, AFTER, AFTER, null, null, false, null);

    static final Succession NO_HEIR = new Succession(1, null, null, null, null, false, null);

    /** The version and the token of the record, for any holder. */
    static final int VERSION = 4;

    static final long TOKEN = 30;

    static final Claim NO_RECORD = new Claim(Claim.NO_RECORD, 0, 0);

    /** The zxid that created our heartbeat. */
    static final long HEARTBEAT_CZXID = 12;

    /** The version in which the heartbeat of {@link #OTHER} was seen. */
    static final int SIGHTED = 8;

    static final ElectionState.Config CONFIG =
            new ElectionState.Config("orders", ELECTION, true, () -> "id", Map.of(), 0, null, "");

    // time

    static final long SESSION_TIMEOUT = 9_000;
    static final long LEASE = 3_000;
    static final long OTHERS_LEASE = 2_000;

    /** What replaces the record. */
    static final Claim RECORD = new Claim(VERSION, TOKEN + 1, OTHERS_LEASE);

    /** The record names us as the heir of its holder. */
    static final Claim INHERITANCE = RECORD;

    static final Moment NOW = new Moment(1_000_000_000_000L, 5_000_000_000_000L);
    static final Moment RECENTLY = ago(100);
    static final Moment LONG_AGO = ago(4_000);

    static Moment ago(long millis) {
        return new Moment(NOW.nanos() - millis * 1_000_000, NOW.millis() - millis);
    }

    // requests

    static final long NO_REQUEST = State.NO_REQUEST;

    /** The request that the given state waits for. */
    static final long REQUEST = 5;

    /** The first request of the step. */
    static final long NEXT = REQUEST + 1;

    // commands in short form

    static final String READ_ALL = "LIST Children orders + RECORD Get leader";
    static final String READ_ELECTION = "STAT Exists orders";
    static final String READ_RECORD = "RECORD Get leader";
    static final String READ_INHERITED_RECORD = "INHERITED_RECORD Get leader";
    static final String WATCH_OWN_NODE = "OWN_NODE Get " + ME + " watch";
    static final String WATCH_PREDECESSOR = "PREDECESSOR Get " + BEFORE + " watch";
    static final String WATCH_QUEUE = "LIST Children orders watch";
    static final String WATCH_RECORD = "RECORD Get leader watch";
    static final String BARRIER = "BARRIER Multi(Check beat)";
    static final String HEARTBEAT = "SendHeartbeat";
    static final String JOIN = "CREATE Create c-new- EPHEMERAL_SEQUENTIAL";
    static final String JOIN_AGAIN = "CREATE Create c-me- EPHEMERAL_SEQUENTIAL";
    static final String CLAIM = "CLAIM Multi(Check " + ME + ", Set leader v4 HELD " + ME + " 31 3000, Set beat v-1)";
    static final String TAKE_OVER = "TAKE_OVER Multi(Check other v8, Delete " + BEFORE + ", Check " + ME
            + ", Set leader v4 HELD " + ME + " 31 3000, Set beat v-1)";
    static final String HAND_OVER =
            "HAND_OVER Multi(Delete " + ME + ", Check " + AFTER + ", Set leader v4 HELD " + AFTER + " 31 3000)";
    static final String DELETE_OWN_NODE = "DELETE Delete " + ME;
    static final String READ_HEIR = "HEIR Get " + AFTER;
    static final String PAUSE = "Wake +250ms";

    // events

    static Event nominate() {
        return new Event.Nominate();
    }

    static Event leave(AfterLeaving then) {
        return new Event.Leave(RevocationReason.RESIGNED, then);
    }

    static Event drained(long term) {
        return new Event.Drained(term);
    }

    static Event heard(long term) {
        return new Event.Heard(term);
    }

    static Event busy(long term) {
        return new Event.Busy(term);
    }

    /** This process has deleted the election. */
    static Event electionDeleted() {
        return new Event.Deleted();
    }

    static Event connected() {
        return new Event.Connected();
    }

    static Event disconnected() {
        return new Event.Disconnected(true);
    }

    /** Everything on the session is to end, and to begin again. */
    static Event rejoin() {
        return new Event.Rejoin(RevocationReason.NODE_LOST);
    }

    static Event expired() {
        return new Event.Expired();
    }

    static Event acknowledged(Moment sent) {
        return new Event.Acknowledged(sent);
    }

    static Event woken() {
        return new Event.Woken(REQUEST);
    }

    static Event recheck() {
        return new Event.Recheck();
    }

    static Event deleted(String node) {
        return changed(node, EventType.NodeDeleted);
    }

    static Event changed(String node, EventType type) {
        return new Event.Changed(path(node), type);
    }

    static Event candidatesChanged() {
        return new Event.Changed(ELECTION, EventType.NodeChildrenChanged);
    }

    /** The reply to a list that sets no watch. */
    static Event listed(String... nodes) {
        return replied(Purpose.LIST, Reply.children(children(nodes)));
    }

    /** The reply to a list that has set the watch on the queue. */
    static Event listedWithWatch(String... nodes) {
        return replied(Purpose.LIST, new Request.Children(ELECTION, true), Reply.children(children(nodes)));
    }

    /** The candidates, and the record. */
    private static List<String> children(String... nodes) {
        List<String> children = new ArrayList<>(List.of(nodes));
        children.add(LeaderRecord.NODE);
        return children;
    }

    static Event recordRead(Reply record) {
        return replied(Purpose.RECORD, record);
    }

    static Event ownNodeRead(Reply reply) {
        return replied(Purpose.OWN_NODE, reply);
    }

    /** The reply to a read of a Stat alone. */
    static Event statRead(String path, Reply reply) {
        return replied(Purpose.STAT, new Request.Exists(path), reply);
    }

    static Event replied(Purpose purpose, Code code) {
        return replied(purpose, Reply.of(code));
    }

    static Event replied(Purpose purpose, Reply reply) {
        return replied(purpose, request(purpose), reply);
    }

    static Event replied(Purpose purpose, Request request, Reply reply) {
        return new Event.Replied(new Command.Send(purpose, REQUEST, request), reply);
    }

    private static Request request(Purpose purpose) {
        return switch (purpose) {
            case CREATE -> new Request.Create(path("c-me-"), Request.NO_DATA, CreateMode.EPHEMERAL_SEQUENTIAL);
            case PARENT -> new Request.Create(ELECTION, Request.NO_DATA, CreateMode.PERSISTENT);
            case LIST -> new Request.Children(ELECTION, false);
            case RECORD, INHERITED_RECORD -> new Request.Get(path(LeaderRecord.NODE), false);
            case OWN_NODE -> new Request.Get(path(ME), true);
            case PREDECESSOR -> new Request.Get(path(BEFORE), true);
            case HEIR, NEXT, FORMER_HEIR, SUPERIOR -> new Request.Get(path(AFTER), false);
            case REQUEST -> new Request.Get(path(HandOverRequest.NODE), false);
            case STAT -> new Request.Exists(ELECTION);
            case DELETE -> new Request.Delete(path(ME), -1);
            case RESTORE, BARRIER, CLAIM, TAKE_OVER, APPOINT, HAND_OVER, RELEASE, CLEAN_UP ->
                new Request.Set(path(LeaderRecord.NODE), Request.NO_DATA, VERSION);
        };
    }

    // replies

    static final Reply NO_NODE = Reply.of(Code.NONODE);

    static Reply created() {
        return Reply.created(path(ME), candidateStat(SESSION));
    }

    /** A candidate's node, as that session created it. */
    static Reply candidate(long session) {
        return Reply.data(OTHERS_DATA, candidateStat(session));
    }

    /** Our own node, after its data was written that often. */
    static Reply ownNodeInVersion(int version) {
        Stat stat = candidateStat(SESSION);
        stat.setVersion(version);
        return Reply.data(OTHERS_DATA, stat);
    }

    private static Stat candidateStat(long session) {
        Stat stat = new Stat();
        stat.setCzxid(MY_CZXID);
        stat.setCtime(NOW.millis());
        stat.setEphemeralOwner(session);
        stat.setVersion(DATA_VERSION);
        return stat;
    }

    static Reply held(String holder, long token) {
        return record(LeaderRecord.held(holder, token, OTHERS_LEASE), 30);
    }

    /** Held by that candidate, which has chosen another one as its heir. */
    static Reply heldWithOtherHeir(String holder) {
        return record(LeaderRecord.held(holder, "c-heir-0000000099", TOKEN, OTHERS_LEASE), TOKEN);
    }

    /** Held by that candidate, which has chosen us as its heir. */
    static Reply heldWithHeir(String holder) {
        return record(LeaderRecord.held(holder, ME, TOKEN, OTHERS_LEASE), TOKEN);
    }

    static Reply released(long token) {
        return record(LeaderRecord.released(token, OTHERS_LEASE), 30);
    }

    /** An ended election, whose end was written with that zxid. */
    static Reply ended(long mzxid) {
        return record(LeaderRecord.held(BEFORE, 30, OTHERS_LEASE).ended(), mzxid);
    }

    /** Written by a later version of this library. */
    static Reply newer() {
        return data("{\"version\":2,\"state\":\"SHARED\"}".getBytes(StandardCharsets.UTF_8), TOKEN);
    }

    /** A transaction was committed that rewrote our heartbeat at its end. */
    static Reply committed() {
        return committed(HEARTBEAT_CZXID);
    }

    /** The same, where the heartbeat was created by that zxid. */
    static Reply committed(long heartbeatCzxid) {
        Stat stat = new Stat();
        stat.setCzxid(heartbeatCzxid);
        stat.setMzxid(90);
        return Reply.stat(stat);
    }

    static Reply record(LeaderRecord record, long mzxid) {
        return data(record.toJson(), mzxid);
    }

    static Reply data(byte[] data, long mzxid) {
        Stat stat = new Stat();
        stat.setVersion(VERSION);
        stat.setMzxid(mzxid);
        return Reply.data(data, stat);
    }

    /** A node with that many children, created that many milliseconds before our own. */
    static Stat stat(int cversion, int children, long millisBefore) {
        Stat stat = new Stat();
        stat.setCzxid(9);
        stat.setCversion(cversion);
        stat.setNumChildren(children);
        stat.setCtime(NOW.millis() - millisBefore);
        return stat;
    }

    static CandidateQueue queue(String... nodes) {
        return queueListed(NOW, nodes);
    }

    /** A queue in a reply that came at that moment. */
    static CandidateQueue queueListed(Moment answered, String... nodes) {
        return CandidateQueue.of(children(nodes), answered.nanos());
    }

    static String path(String node) {
        return ELECTION + "/" + node;
    }
}
