package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The wire as an engine uses it. An answer on a session that is over says nothing any more; an answer that was lost says
 * that the connection was, even if nobody told us; and what breaks the connection each time is not asked for each time.
 */
public final class SessionClient implements AsyncClient {

    private final AsyncClient client;
    private final Executor steps;
    private final RequestThrottle throttle;
    private final OversizedReplyBackoff lostAnswers;
    private final Runnable onLoss;
    private long sessions;

    /** @param onLoss called after an answer was lost on the current session */
    SessionClient(AsyncClient client, Clock clock, Executor steps, RequestThrottle throttle, Runnable onLoss) {
        this.client = client;
        this.steps = steps;
        this.throttle = throttle;
        this.lostAnswers = new OversizedReplyBackoff(clock);
        this.onLoss = onLoss;
    }

    void expired() {
        sessions++;
        lostAnswers.expired();
        throttle.expired();
    }

    @Override
    public void send(Request request, Consumer<Reply> answer) {
        if (lostAnswers.holdBack(request)) {
            sendInPlaceOf(request, answer);
            return;
        }
        long session = sessions;
        throttle.sent();
        client.send(
                request,
                reply -> steps.execute(() -> {
                    try {
                        answered(request, reply, session == sessions, answer);
                    } finally {
                        if (session == sessions) {
                            throttle.answered();
                        }
                    }
                }));
    }

    @Override
    public boolean keepsWatches() {
        return client.keepsWatches();
    }

    private void answered(Request request, Reply reply, boolean current, Consumer<Reply> answer) {
        lostAnswers.answered(request, reply);
        answer.accept(current ? reply : Reply.of(Code.SESSIONEXPIRED));
        if (current && reply.ambiguous()) {
            onLoss.run();
        }
    }

    /** Something that has a short answer, which comes in good order with the other answers. */
    private void sendInPlaceOf(Request request, Consumer<Reply> answer) {
        if (request instanceof Request.Get get) {
            // The watch is what matters; the data, of which nothing is known then, can be done without.
            send(new Request.Exists(get.path(), get.watch()), answer);
        } else {
            send(
                    new Request.Exists(request.path()),
                    reply -> answer.accept(reply.ok() ? Reply.of(Code.MARSHALLINGERROR) : reply));
        }
    }
}
