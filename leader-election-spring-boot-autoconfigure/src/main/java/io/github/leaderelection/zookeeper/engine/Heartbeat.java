package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Moment;
import io.github.leaderelection.zookeeper.znode.HeartbeatData;
import io.github.leaderelection.zookeeper.znode.Paths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * This connection's heartbeat: an ephemeral node of its own. Rewriting it is a write by quorum that fails once the session is
 * gone, so each acknowledgement proves, for all elections of the connection, that the session outlived the sending of that
 * heartbeat. R2: nothing else proves that; reads, pings and {@code sync} are answered by deposed servers, too.
 */
public final class Heartbeat {

    /** Hears what became of the heartbeat. */
    interface Listener {

        void acknowledged(Moment sent);

        void created();

        /** Another client has deleted the node, or put another one in its place. */
        void lost();

        /** The node cannot be created; it is tried again. */
        void refused(ElectionException cause);
    }

    private static final long RETRY = 1_000_000_000L;

    private final AsyncClient client;
    private final Clock clock;
    private final String parent;
    private final Listener listener;
    private final DeadlineTimer retry;
    private String path = "";
    private long czxid;
    private boolean created;
    private boolean refused;
    private @Nullable Code obstacle;
    private @Nullable Moment underWay;
    private @Nullable Moment unansweredSince;
    private int led;
    private int announced;

    Heartbeat(AsyncClient client, Timers timers, Clock clock, String root, Listener listener) {
        this.client = client;
        this.clock = clock;
        this.parent = parent(root);
        this.listener = listener;
        this.retry = new DeadlineTimer(timers, this::retry);
    }

    /** The node that holds the heartbeats of all connections. */
    public static String parent(String root) {
        return Paths.child(root, ".beats");
    }

    String path() {
        return path;
    }

    /** The zxid that created the node; 0 while it is being created. */
    long czxid() {
        return created ? czxid : 0;
    }

    boolean isCreated() {
        return created;
    }

    /** How many elections the connection leads, which the heartbeat says. */
    int led() {
        return led;
    }

    void led(int led) {
        this.led = led;
    }

    /** Whether the last heartbeat says that the connection leads something, and it does not. */
    boolean isOutdated() {
        return created && led == 0 && announced > 0;
    }

    /** Creates the heartbeat of a new session. */
    void begin(String guid) {
        path = Paths.child(parent, guid);
        underWay = null;
        unansweredSince = null;
        announced = 0;
        create();
    }

    void create() {
        created = false;
        obstacle = null;
        create(false);
    }

    private void create(boolean parentCreated) {
        client.send(new Request.Create(path, Request.NO_DATA, CreateMode.EPHEMERAL), reply -> {
            if (reply.ok()) {
                created(reply.stat());
            } else if (reply.code() == Code.NODEEXISTS) {
                // Created before, but the reply was lost.
                client.send(new Request.Exists(path), found -> {
                    if (found.ok()) {
                        created(found.stat());
                    } else if (found.noNode()) {
                        // Another client has deleted it in the meantime, see R36.
                        listener.lost();
                    }
                });
            } else if (reply.noNode() && !parentCreated) {
                createParent();
            } else if (!reply.ambiguous()) {
                refused = true;
                listener.refused(refusal(obstacle != null ? obstacle : reply.code()));
                retry.noLaterThan(clock.nanos() + RETRY);
            }
        });
    }

    private void created(Stat stat) {
        czxid = stat.getCzxid();
        created = true;
        refused = false;
        listener.created();
    }

    private void createParent() {
        for (String ancestor : Paths.fromTop(parent)) {
            client.send(new Request.Create(ancestor, Request.NO_DATA, CreateMode.PERSISTENT), reply -> {
                if (obstacle == null && !reply.ok() && reply.code() != Code.NODEEXISTS) {
                    obstacle = reply.code();
                }
            });
        }
        create(true);
    }

    private ElectionException refusal(Code code) {
        String message = "Cannot create " + parent + ", which holds the heartbeats of the connections: ";
        // All ancestors were tried as well, so what is missing lies above them.
        return code == Code.NONODE
                ? new ElectionNotFoundException(
                        message
                                + "its parent does not exist. If the connect string ends with a path (a chroot), create that node")
                : new ElectionException(message + ErrorTexts.of(code));
    }

    private void retry() {
        if (refused) {
            create();
        }
    }

    /** Stops trying to create a heartbeat that was refused. */
    void end() {
        refused = false;
    }

    /** Makes sure that an acknowledgement will come: sends a heartbeat unless a younger one than that is under way. */
    void ensure(long youngerThanMillis) {
        if (underWay == null || !underWay.within(youngerThanMillis, clock.now())) {
            send();
        }
    }

    /** Whether heartbeats have been sent for so long without any answer. */
    boolean isUnanswered(long millis) {
        return unansweredSince != null && !unansweredSince.within(millis, clock.now());
    }

    /** R1: what counts is the moment of sending, not that of the answer. */
    void send() {
        Moment sent = clock.now();
        String target = path;
        underWay = sent;
        unansweredSince = unansweredSince == null ? sent : unansweredSince;
        announced = led;
        client.send(new Request.Set(path, new HeartbeatData(led).toJson(), -1), reply -> {
            if (underWay == sent) {
                underWay = null;
            }
            unansweredSince = null;
            if (target.equals(path)) {
                replied(reply, sent);
            }
        });
    }

    /**
     * R36: a heartbeat that was deleted is never created again under its name, and one that another client has created in its
     * place does not count: its versions start again, so that an heir could take over by a version that it saw before.
     */
    private void replied(Reply reply, Moment sent) {
        boolean ours = reply.ok() && reply.stat().getCzxid() == czxid;
        if (ours && created) {
            listener.acknowledged(sent);
        } else if (created && (reply.ok() || reply.noNode())) {
            created = false;
            listener.lost();
        }
    }

    void delete(Runnable done) {
        created = false;
        client.send(new Request.Delete(path, -1), reply -> done.run());
    }
}
