package io.github.leaderelection.zookeeper;

import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The wire as an engine uses it. An answer on a session that is over says nothing any more; an answer that was lost says
 * that the connection was, even if nobody told us; and what breaks the connection each time is not asked for each time.
 */
final class Line implements Wire {

    private final Wire wire;
    private final Executor steps;
    private final Agenda agenda;
    private final LostAnswers lostAnswers;
    private final Runnable onLoss;
    private long sessions;

    /** @param onLoss called after an answer was lost on the current session */
    Line(Wire wire, Clock clock, Executor steps, Agenda agenda, Runnable onLoss) {
        this.wire = wire;
        this.steps = steps;
        this.agenda = agenda;
        this.lostAnswers = new LostAnswers(clock);
        this.onLoss = onLoss;
    }

    void expired() {
        sessions++;
        lostAnswers.expired();
        agenda.expired();
    }

    @Override
    public void send(Request request, Consumer<Reply> answer) {
        if (lostAnswers.holdBack(request)) {
            sendInPlaceOf(request, answer);
            return;
        }
        long session = sessions;
        agenda.sent();
        wire.send(
                request,
                reply -> steps.execute(() -> {
                    try {
                        answered(request, reply, session == sessions, answer);
                    } finally {
                        if (session == sessions) {
                            agenda.answered();
                        }
                    }
                }));
    }

    @Override
    public boolean keepsWatches() {
        return wire.keepsWatches();
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
