package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Moment;
import io.github.leaderelection.zookeeper.znode.HeartbeatData;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * This connection's heartbeat: an ephemeral node of its own. Rewriting it is a write by quorum that fails once the
 * session is gone, so each acknowledgement proves, for all elections of the connection, that the session outlived the
 * sending of that heartbeat. R2: nothing else proves that; deposed servers answer reads, pings and {@code sync}, too.
 */
public final class Heartbeat {

    private static final long RETRY = 1_000;

    private final Engine engine;
    private final String parent;
    private String path = "";
    private long czxid;
    private boolean created;
    private boolean refused;
    private @Nullable Code obstacle;
    private @Nullable Moment underWay;
    private @Nullable Moment unansweredSince;
    private int led;
    private int announced;
    private long serverAhead;

    Heartbeat(Engine engine, String root) {
        this.engine = engine;
        this.parent = parent(root);
    }

    /** The node that holds the heartbeats of all connections. */
    public static String parent(String root) {
        return Paths.child(root, ".beats");
    }

    String path() {
        return path;
    }

    /** The path of another connection's heartbeat. */
    String pathOf(String connection) {
        return Paths.child(parent, connection);
    }

    /** The zxid that created the node; 0 while it is being created. */
    long czxid() {
        return created ? czxid : 0;
    }

    boolean isCreated() {
        return created;
    }

    /** The number of elections that the connection leads, which the heartbeat announces. */
    int led() {
        return led;
    }

    void led(int led) {
        this.led = led;
    }

    /** How far the server's wall clock is ahead of ours, in milliseconds: a lower bound, since replies take time. */
    long serverAhead() {
        return serverAhead;
    }

    /** Whether the last heartbeat announced led elections, but there are none any more. */
    boolean isOutdated() {
        return created && led == 0 && announced > 0;
    }

    /** Creates the heartbeat of a new session. */
    void begin(String guid) {
        path = pathOf(guid);
        underWay = null;
        unansweredSince = null;
        announced = 0;
        create();
    }

    void create() {
        created = false;
        // One create at a time: R36 counts on that.
        refused = false;
        obstacle = null;
        create(false);
    }

    private void create(boolean parentCreated) {
        engine.client.send(new Request.Create(path, Request.NO_DATA, CreateMode.EPHEMERAL), reply -> {
            if (reply.ok()) {
                created(reply.stat());
            } else if (reply.code() == Code.NODEEXISTS) {
                // Created before, but the reply was lost.
                engine.client.send(new Request.Exists(path), found -> {
                    if (found.ok()) {
                        created(found.stat());
                    } else if (found.noNode()) {
                        // Another client has deleted it in the meantime, see R36.
                        engine.heartbeatLost();
                    }
                });
            } else if (reply.noNode() && !parentCreated) {
                createParent();
            } else if (!reply.ambiguous()) {
                refused = true;
                engine.listener.refused(refusal(obstacle != null ? obstacle : reply.code()));
                engine.heartbeatTimer.within(RETRY);
            }
        });
    }

    private void created(Stat stat) {
        czxid = stat.getCzxid();
        created = true;
        refused = false;
        engine.listener.ready();
    }

    private void createParent() {
        for (String ancestor : Paths.fromTop(parent)) {
            engine.client.send(new Request.Create(ancestor, Request.NO_DATA, CreateMode.PERSISTENT), reply -> {
                if (obstacle == null && !reply.ok() && reply.code() != Code.NODEEXISTS) {
                    obstacle = reply.code();
                }
            });
        }
        create(true);
    }

    private ElectionException refusal(Code code) {
        String message = "Cannot create " + parent + ", which holds the heartbeats of the connections: ";
        // All ancestors were tried as well, so the missing node is above them.
        return code == Code.NONODE
                ? new ElectionNotFoundException(
                        message
                                + "its parent does not exist. If the connect string ends with a path (a chroot), create that node")
                : new ElectionException(message + ErrorTexts.of(code));
    }

    void createIfRefused() {
        if (refused) {
            create();
        }
    }

    /** Stops trying to create a heartbeat that was refused. */
    void end() {
        refused = false;
    }

    /** Ensures an acknowledgement: sends a heartbeat unless one that is younger than the given age is under way. */
    void ensure(long youngerThanMillis) {
        if (underWay == null || !underWay.within(youngerThanMillis, engine.clock.now())) {
            send();
        }
    }

    /**
     * R1: the time of sending counts, not that of the answer. R34: if no heartbeat has been answered for a lease, all
     * leases are over; further heartbeats would only delay the heir's take-over.
     */
    void send() {
        Moment sent = engine.clock.now();
        if (unansweredSince != null && !unansweredSince.within(engine.connection.lease(), sent)) {
            return;
        }
        underWay = sent;
        unansweredSince = unansweredSince == null ? sent : unansweredSince;
        announced = led;
        var heartbeat = new Request.Set(path, new HeartbeatData(led).toJson(), -1);
        engine.client.send(heartbeat, new Sent(this, path, sent));
    }

    private record Sent(Heartbeat heartbeat, String path, Moment at) implements Consumer<Reply> {
        @Override
        public void accept(Reply reply) {
            heartbeat.replied(this, reply);
        }
    }

    /**
     * R36: a deleted heartbeat is never recreated under its name, and a node that another client has created in its
     * place does not count: its versions start again, so that an heir could take over by a version that it saw before.
     */
    private void replied(Sent sent, Reply reply) {
        underWay = underWay == sent.at() ? null : underWay;
        unansweredSince = null;
        if (!sent.path().equals(path)) {
            return;
        }
        boolean ours = reply.ok() && reply.stat().getCzxid() == czxid;
        if (ours && created) {
            serverAhead = reply.stat().getMtime() - engine.clock.now().millis();
            engine.heartbeatAcknowledged(sent.at());
        } else if (created && (reply.ok() || reply.noNode())) {
            created = false;
            engine.heartbeatLost();
        }
    }

    void delete(Runnable done) {
        created = false;
        engine.client.send(new Request.Delete(path, -1), reply -> done.run());
    }
}
