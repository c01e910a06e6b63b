package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The client as the engine uses it. A reply on an ended session does not count; a lost reply shows that the connection
 * was lost, even if the client has not reported it; and a reply that is too long for the client, which breaks the
 * connection each time, is not requested again and again.
 */
final class SessionClient implements AsyncClient {

    private final AsyncClient client;
    private final Engine engine;
    private final OversizedReplyBackoff oversized;
    private long sessions;
    private long answeredAt;

    SessionClient(AsyncClient client, Engine engine) {
        this.client = client;
        this.engine = engine;
        this.answeredAt = engine.clock.nanos();
        this.oversized = new OversizedReplyBackoff(engine.clock);
    }

    void expired() {
        sessions++;
        oversized.expired();
        engine.throttle.expired();
    }

    @Override
    public void send(Request request, Consumer<Reply> onReply) {
        if (oversized.holdBack(request)) {
            sendSubstitute(request, onReply);
            return;
        }
        engine.throttle.sent();
        client.send(request, new UnderWay(request, sessions, onReply));
    }

    /** A request under way. A class, since a lambda takes longer to link in a new JVM, where every first request waits. */
    private final class UnderWay implements Consumer<Reply> {
        private final Request request;
        private final long session;
        private final Consumer<Reply> onReply;

        UnderWay(Request request, long session, Consumer<Reply> onReply) {
            this.request = request;
            this.session = session;
            this.onReply = onReply;
        }

        @Override
        public void accept(Reply reply) {
            try {
                answeredAt = reply.ambiguous() ? answeredAt : engine.clock.nanos();
                oversized.answered(request, reply);
                onReply.accept(session == sessions ? reply : Reply.of(Code.SESSIONEXPIRED));
                if (session == sessions && reply.ambiguous()) {
                    engine.disconnected();
                }
            } finally {
                if (session == sessions) {
                    engine.throttle.answered();
                }
            }
        }
    }

    /** When a reply last came from ZooKeeper. */
    long answeredAt() {
        return answeredAt;
    }

    @Override
    public boolean keepsWatches() {
        return client.keepsWatches();
    }

    @Override
    public int longestReply() {
        return client.longestReply();
    }

    /** A request with a short reply, which comes in order with the other replies. */
    private void sendSubstitute(Request request, Consumer<Reply> onReply) {
        if (request instanceof Request.Get get) {
            // Only the watch is needed.
            send(new Request.Exists(get.path(), get.watch()), onReply);
        } else {
            send(
                    new Request.Exists(request.path()),
                    reply -> onReply.accept(reply.ok() ? Reply.of(Code.MARSHALLINGERROR) : reply));
        }
    }
}
