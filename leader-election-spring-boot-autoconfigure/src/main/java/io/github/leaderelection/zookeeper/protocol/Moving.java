package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.support.MoveCause;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.HandOverRequest;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a leader hands over to a chosen candidate: because a client asks for it, because the candidate has a higher
 * priority, or because its instance leads fewer elections. The candidate is appointed as the heir first, so that it is
 * ready when the leader goes. R39: priorities and spreading do not end a term that a client has requested.
 */
final class Moving {

    /** The delay before a retry while another appointment is under way. */
    private static final long BUSY = 1_000_000_000L;

    /**
     * For the appointed candidate to follow the leader. It also spreads the load of many moves at once: the less there is
     * to do at a time, the shorter is the time without a leader.
     */
    static final long TIME_TO_FOLLOW = 80_000_000L;

    private Moving() {}

    static void spread(Step step, Leading leading, String to) {
        if (!leading.holding().requested() && !to.equals(leading.ownNode().name())) {
            Appointing.move(step, leading, to, MoveCause.SPREAD);
        }
    }

    static void preempt(Step step, Leading leading, String candidate) {
        boolean superior = candidate.equals(leading.succession().heir()) && isSuperior(step, candidate);
        if (superior && !leading.holding().requested()) {
            String least = step.view.receiver().get();
            String to = least != null && isSuperior(step, least) ? least : candidate;
            if (!Appointing.move(step, leading, to, MoveCause.PRIORITY)) {
                step.emit(new Command.PreemptAt(candidate, step.view.now().nanos() + BUSY));
            }
        }
    }

    /** Begins the wait of a higher-priority heir, unless it was the heir before. Its node shows when it joined. */
    static void preemptLater(Step step, Leading leading, @Nullable String before) {
        String heir = leading.succession().heir();
        boolean configured = step.config.preemptAfter() != null;
        if (configured && heir != null && !heir.equals(before) && isSuperior(step, heir)) {
            step.send(Purpose.SUPERIOR, leading.requestId(), new Request.Get(step.config.node(heir), false));
        }
    }

    /** The wait counts from when the candidate joined, even under an earlier leader; if unknown, from now. */
    static void superiorRead(Step step, Command.Send to, Reply reply) {
        Duration wait = step.config.preemptAfter();
        if (wait != null && !reply.noNode()) {
            long waited = reply.ok() ? step.view.millisSince(reply.stat().getCtime()) : 0;
            long left = wait.toMillis() - Math.max(0, Math.min(waited, wait.toMillis()));
            String candidate = Paths.name(to.request().path());
            step.emit(new Command.PreemptAt(candidate, step.view.now().nanos() + left * 1_000_000));
        }
    }

    private static boolean isSuperior(Step step, String candidate) {
        return NodeName.parse(candidate)
                .filter(node -> node.priority() > step.config.priority())
                .isPresent();
    }

    /** The candidate is appointed. Once it follows us, it can lead without a delay. */
    static void handOverSoon(Step step, Leading leading) {
        step.state = leading;
        step.emit(new Command.WakeAt(leading.requestId(), step.view.now().nanos() + TIME_TO_FOLLOW));
    }

    /** Without a connection, it keeps leading until its lease ends. */
    static void handOverNow(Step step, Leading leading) {
        Succession succession = leading.succession();
        Succession.Appointment appointment = succession.appointing();
        Move move = appointment == null ? null : appointment.move();
        if (move != null && leading.holding().heir().equals(move.to())) {
            Leading free = leading.with(succession.appointing(null));
            step.state = free;
            if (step.view.connected()) {
                handOver(step, free, move, succession.fallback() == null ? "" : succession.fallback());
            }
        }
    }

    /**
     * The candidate is appointed. The hand-over deletes a request, which shows its author that it was carried out.
     *
     * @param former the former heir, which follows us
     */
    static void handOver(Step step, Leading leading, Move move, String former) {
        List<Request> request = move.cause() == MoveCause.REQUESTED
                ? List.of(new Request.Delete(step.config.node(HandOverRequest.NODE), -1))
                : List.of();
        Succession succession = leading.succession().handedTo(move.to(), former, step.config, request);
        step.revoke(leading, RevocationReason.HANDED_OVER);
        Draining.beginMove(step, leading.with(succession), move);
    }
}
