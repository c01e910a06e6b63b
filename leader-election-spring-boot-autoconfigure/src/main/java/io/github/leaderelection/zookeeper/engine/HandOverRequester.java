package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.HandOver;
import io.github.leaderelection.HandOver.Outcome;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
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

/**
 * Asks the leader of an election, whichever process that is, to hand over to a candidate. The request is an ephemeral node
 * that the leader sees by its watch on the queue. The leader accepts it in the transaction that appoints the candidate, so a
 * request that was deleted before has no effect; and deletes it in the transaction that hands over. Confined to the loop.
 */
public final class HandOverRequester implements ConnectionObserver {

    private static final long PAUSE = 50_000_000L;

    private final AsyncClient client;
    private final Timers timers;
    private final Clock clock;
    private final String node;
    private final String candidateId;
    private final CandidateReader reader;
    private final CompletableFuture<HandOver> result;
    private Optional<Candidate> lastLeader = Optional.empty();
    private boolean accepted;
    private boolean requested;
    private int attempt;

    /**
     * Begins to ask; to be called on the loop.
     *
     * @param answerWithin how long to wait for the leader's answer
     * @param doneWithin how long to wait for the hand-over
     */
    public static CompletableFuture<HandOver> begin(
            Engine engine, String path, String candidateId, Duration answerWithin, Duration doneWithin) {
        var result = new CompletableFuture<HandOver>();
        Clock clock = engine.clock;
        engine.add(new HandOverRequester(
                engine.client(),
                engine.timers,
                clock,
                path,
                candidateId,
                clock.nanosAfter(answerWithin),
                clock.nanosAfter(doneWithin),
                result));
        return result;
    }

    /**
     * @param answerBy when the leader must have accepted, by the monotonic clock
     * @param doneBy when the hand-over must be done
     */
    HandOverRequester(
            AsyncClient client,
            Timers timers,
            Clock clock,
            String path,
            String candidateId,
            long answerBy,
            long doneBy,
            CompletableFuture<HandOver> result) {
        this.client = client;
        this.timers = timers;
        this.clock = clock;
        this.node = Paths.child(path, HandOverRequest.NODE);
        this.candidateId = candidateId;
        this.reader = new CandidateReader(client, path);
        this.result = result;
        timers.at(answerBy, this::answerOverdue);
        timers.at(doneBy, () -> giveUp(-1));
    }

    @Override
    public boolean isOver() {
        return result.isDone();
    }

    /** Looks afresh: replies may have been lost along with the last connection. */
    @Override
    public void connected() {
        int now = ++attempt;
        reader.read().whenComplete((reading, failure) -> {
            if (now == attempt && !isOver() && failure == null) {
                judge(reading);
            }
        });
    }

    @Override
    public void changed(String path, EventType type) {
        if (requested && path.equals(node)) {
            await();
        }
    }

    private void judge(Reading reading) {
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
            finish(accepted ? Outcome.DONE : Outcome.ALREADY_LEADS);
        } else if (requested) {
            await();
        } else {
            request(new HandOverRequest(meant.get(0).node(), holder.get().node()));
        }
    }

    private void request(HandOverRequest request) {
        requested = true;
        send(new Request.Create(node, request.toJson(), CreateMode.EPHEMERAL), reply -> {
            if (reply.code() == Code.NODEEXISTS) {
                // Another request is under way.
                requested = false;
                retry();
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
            Answer answer = reply.content()
                    .flatMap(HandOverRequest::parse)
                    .map(HandOverRequest::answer)
                    .orElse(null);
            if (answer == Answer.NO_SUCH_CANDIDATE) {
                finish(Outcome.NO_SUCH_CANDIDATE);
            } else if (reply.noNode()) {
                // Carried out, or void because that leader no longer leads.
                requested = false;
                connected();
            } else {
                accepted |= answer == Answer.ACCEPTED;
            }
        });
    }

    private void retry() {
        int now = attempt;
        timers.at(clock.nanos() + PAUSE, () -> {
            if (now == attempt && !isOver()) {
                connected();
            }
        });
    }

    private void answerOverdue() {
        if (!isOver() && !accepted) {
            giveUp(0);
        }
    }

    /** @param version of a request that may be withdrawn: an accepted one has another */
    private void giveUp(int version) {
        if (isOver()) {
            return;
        }
        if (!requested) {
            finish(Outcome.NOT_ANSWERED);
            return;
        }
        client.send(new Request.Delete(node, version), reply -> {
            if (reply.code() == Code.BADVERSION) {
                accepted = true;
            } else {
                requested = false;
                finish(Outcome.NOT_ANSWERED);
            }
        });
    }

    /** A reply that is lost is ignored: the next connection looks afresh. */
    private void send(Request request, Consumer<Reply> onReply) {
        int sentIn = attempt;
        client.send(request, reply -> {
            if (!isOver() && sentIn == attempt && !reply.ambiguous()) {
                onReply.accept(reply);
            }
        });
    }

    private void finish(Outcome outcome) {
        if (requested) {
            requested = false;
            client.send(new Request.Delete(node, -1), reply -> {});
        }
        result.complete(new HandOver(outcome, lastLeader));
    }
}
