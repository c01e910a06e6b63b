package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.HandOver;
import io.github.leaderelection.HandOver.Outcome;
import io.github.leaderelection.support.OneLine;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.engine.CandidateReader.Entry;
import io.github.leaderelection.zookeeper.engine.CandidateReader.Reading;
import io.github.leaderelection.zookeeper.znode.HandOverRequest;
import io.github.leaderelection.zookeeper.znode.HandOverRequest.Answer;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Asks the leader of an election, in any process, to hand over to a candidate. The leader sees the request, an
 * ephemeral node, by its watch on the queue. It accepts the request in the transaction that appoints the candidate, so
 * a request deleted before has no effect, and deletes it in the hand-over transaction. Confined to the loop.
 */
public final class HandOverRequester extends ConnectionTask {

    private static final long PAUSE = 50_000_000L;

    private final String node;
    private final String candidateId;
    private final CandidateReader reader;
    private final CompletableFuture<HandOver> result = new CompletableFuture<>();
    private Optional<Candidate> lastLeader = Optional.empty();
    private boolean accepted;
    /** Null while there is none. */
    private @Nullable HandOverRequest requested;
    /** Whether a request was ever sent: it may be carried out, and its node deleted, before its answer is read. */
    private boolean asked;
    /** Whether ZooKeeper has answered at all. */
    private boolean answered;

    /**
     * Begins to ask; to be called on the loop.
     *
     * @param answerWithin how long to wait for the leader's answer
     * @param doneWithin how long to wait for the hand-over
     */
    public static CompletableFuture<HandOver> begin(
            Engine engine, String path, String candidateId, Duration answerWithin, Duration doneWithin) {
        var requester = new HandOverRequester(engine, path, candidateId);
        engine.timers.at(engine.clock.nanosAfter(answerWithin), requester::answerOverdue);
        engine.timers.at(engine.clock.nanosAfter(doneWithin), () -> requester.giveUp(-1));
        engine.add(requester);
        return requester.result;
    }

    private HandOverRequester(Engine engine, String path, String candidateId) {
        super(engine);
        this.node = Paths.child(path, HandOverRequest.NODE);
        this.candidateId = OneLine.of(candidateId);
        this.reader = new CandidateReader(engine.client, path);
    }

    @Override
    boolean isOver() {
        return result.isDone();
    }

    @Override
    void closed(ElectionClosedException cause) {
        result.completeExceptionally(cause);
    }

    @Override
    void start() {
        Consumer<Reading> onReading = inThisAttempt(this::judge);
        Consumer<Throwable> onFailure = inThisAttempt(this::refused);
        reader.read().whenComplete((reading, failure) -> {
            if (failure == null) {
                onReading.accept(reading);
            } else {
                onFailure.accept(failure);
            }
        });
    }

    /** A lost connection is no answer; the next one starts again. */
    private void refused(Throwable failure) {
        if (!(failure instanceof ElectionConnectionException)) {
            result.completeExceptionally(failure);
        }
    }

    @Override
    void changed(String path, EventType type) {
        if (requested != null && path.equals(node)) {
            await();
        }
    }

    private void judge(Reading reading) {
        answered = true;
        Optional<Entry> holder = reading.holder();
        lastLeader = holder.map(Entry::candidate);
        List<Entry> meant = reading.entries().stream()
                .filter(entry -> entry.candidate().id().equals(candidateId))
                .toList();
        if (holder.isEmpty()) {
            finish(Outcome.NO_LEADER);
        } else if (meant.size() > 1) {
            finish(Outcome.AMBIGUOUS_CANDIDATE);
        } else if (meant.isEmpty()) {
            finish(Outcome.NO_SUCH_CANDIDATE);
        } else if (meant.equals(List.of(holder.get()))) {
            finish(asked ? Outcome.DONE : Outcome.ALREADY_LEADS);
        } else if (requested != null) {
            await();
        } else {
            request(new HandOverRequest(meant.get(0).node(), holder.get().node()));
        }
    }

    private void request(HandOverRequest request) {
        requested = request;
        asked = true;
        send(new Request.Create(node, request.toJson(), CreateMode.EPHEMERAL), reply -> {
            if (reply.code() == Code.NODEEXISTS) {
                // Another request is under way.
                requested = null;
                asked = false;
                after(PAUSE, this::connected);
            } else if (reply.ok()) {
                await();
            } else {
                result.completeExceptionally(reply.failure("request a hand-over by " + node));
            }
        });
    }

    /** Reads the answer, and sets a watch for the next one. */
    private void await() {
        send(new Request.Get(node, true), reply -> {
            HandOverRequest found = HandOverRequest.parse(reply.data()).orElse(null);
            if (reply.noNode() || reply.ok() && !isOurs(found)) {
                // Carried out, or void because that leader no longer leads.
                requested = null;
                connected();
            } else if (found != null && found.answer() == Answer.NO_SUCH_CANDIDATE) {
                finish(Outcome.NO_SUCH_CANDIDATE);
            } else {
                accepted |= found != null && found.answer() == Answer.ACCEPTED;
            }
        });
    }

    /** Another client may have made a request since ours was carried out. */
    private boolean isOurs(@Nullable HandOverRequest found) {
        return found != null && found.answer(Answer.NONE).equals(requested);
    }

    private void answerOverdue() {
        if (!isOver() && !accepted) {
            giveUp(0);
        }
    }

    /** @param version of a request that may be withdrawn, -1 for any; an accepted request has a later version */
    private void giveUp(int version) {
        if (isOver()) {
            return;
        }
        if (!answered) {
            result.completeExceptionally(new ElectionConnectionException(
                    "Cannot request a hand-over by " + node + ": ZooKeeper does not answer"));
            return;
        }
        if (requested == null) {
            finish(Outcome.NOT_ANSWERED);
            return;
        }
        engine.client.send(new Request.Delete(node, version), reply -> {
            if (reply.code() == Code.BADVERSION) {
                accepted = true;
            } else if (reply.ambiguous()) {
                // It may have been accepted, so the outcome is unknown.
                result.completeExceptionally(reply.failure("withdraw the request " + node));
            } else {
                requested = null;
                finish(Outcome.NOT_ANSWERED);
            }
        });
    }

    private void finish(Outcome outcome) {
        if (requested != null) {
            requested = null;
            engine.client.send(new Request.Delete(node, -1), reply -> {});
        }
        result.complete(new HandOver(outcome, lastLeader));
    }
}
