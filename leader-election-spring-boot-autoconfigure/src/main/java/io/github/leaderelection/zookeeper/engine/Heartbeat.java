package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Moment;
import io.github.leaderelection.zookeeper.znode.Paths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * This connection's heartbeat: an ephemeral node of its own. Rewriting it is a write by quorum that fails once the
 * session is gone; so each acknowledgement proves, for all elections of the connection, that the session outlived the
 * sending of that beat. Nothing else proves that.
 */
public final class Heartbeat {

    /** Told about what became of the beat. */
    interface Listener {
        void acknowledged(Moment sent);

        void made();

        void refused(ElectionException cause);
    }

    private final AsyncClient client;
    private final Clock clock;
    private final String folder;
    private final Listener listener;
    private String path = "";
    private boolean made;
    private boolean resend;
    private @Nullable Code obstacle;
    private @Nullable Moment inFlight;

    Heartbeat(AsyncClient client, Clock clock, String root, Listener listener) {
        this.client = client;
        this.clock = clock;
        this.folder = folder(root);
        this.listener = listener;
    }

    /** The node that holds all beats. */
    public static String folder(String root) {
        return Paths.child(root, ".beats");
    }

    String path() {
        return path;
    }

    boolean isMade() {
        return made;
    }

    /** Makes the beat of a new session. */
    void begin(String guid) {
        path = Paths.child(folder, guid);
        inFlight = null;
        resend = false;
        make();
    }

    void make() {
        made = false;
        obstacle = null;
        create(false);
    }

    private void create(boolean folderMade) {
        client.send(new Request.Create(path, Request.NO_DATA, CreateMode.EPHEMERAL), reply -> {
            if (reply.ok() || reply.code() == Code.NODEEXISTS) {
                made = true;
                listener.made();
                if (resend) {
                    resend = false;
                    send();
                }
            } else if (reply.noNode() && !folderMade) {
                makeFolder();
            } else if (!reply.ambiguous()) {
                listener.refused(refusal(obstacle != null ? obstacle : reply.code()));
            }
        });
    }

    private ElectionException refusal(Code code) {
        String what = "Cannot create %s, which holds the heartbeats of the connections: ".formatted(folder);
        // All that it lies under was tried as well.
        return code == Code.NONODE
                ? new ElectionNotFoundException(what
                        + "there is no node for it to lie under; where the connect string ends with a path (a chroot),"
                        + " that one has to exist")
                : new ElectionException(what + ErrorTexts.code(code));
    }

    private void makeFolder() {
        for (String ancestor : Paths.fromTop(folder)) {
            client.send(new Request.Create(ancestor, Request.NO_DATA, CreateMode.PERSISTENT), reply -> {
                if (obstacle == null && !reply.ok() && reply.code() != Code.NODEEXISTS) {
                    obstacle = reply.code();
                }
            });
        }
        create(true);
    }

    /** Makes sure that an acknowledgement will come: sends a beat unless one younger than that is on its way. */
    void ensure(long youngerThanMillis) {
        if (inFlight == null || !inFlight.within(youngerThanMillis, clock.now())) {
            send();
        }
    }

    void send() {
        Moment sent = clock.now();
        String beaten = path;
        inFlight = sent;
        client.send(new Request.Set(path, Request.NO_DATA, -1), reply -> {
            if (sent.equals(inFlight)) {
                inFlight = null;
            }
            if (reply.ok()) {
                listener.acknowledged(sent);
            } else if (reply.noNode() && beaten.equals(path)) {
                // Deleted by somebody: made again under the same name, so that those who watch it go on seeing it.
                resend = true;
                make();
            }
        });
    }

    void delete(Runnable done) {
        made = false;
        client.send(new Request.Delete(path, -1), reply -> done.run());
    }
}
