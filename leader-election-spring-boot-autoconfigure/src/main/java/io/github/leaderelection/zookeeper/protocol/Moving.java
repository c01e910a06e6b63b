package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.support.MoveCause;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.HandOverRequest;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a leader hands over to a candidate that was chosen: because a client asks for it, because the candidate has a higher
 * priority, or because its instance leads fewer elections. The candidate is appointed as the heir first, so that it is ready
 * when the leader goes. R39: a term that a client has asked for is left alone by priorities and spreading.
 */
final class Moving {

    /** When to try again while something else is under way. */
    private static final long BUSY = 1_000_000_000L;

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

    /** Lets an heir wait whose priority is higher, unless it was the heir before. */
    static void preemptLater(Step step, Leading leading, @Nullable String before) {
        Duration wait = step.config.preemptAfter();
        String heir = leading.succession().heir();
        if (wait != null && heir != null && !heir.equals(before) && isSuperior(step, heir)) {
            step.emit(new Command.PreemptAt(heir, step.view.now().nanos() + wait.toNanos()));
        }
    }

    private static boolean isSuperior(Step step, String candidate) {
        return NodeName.parse(candidate)
                .filter(node -> node.priority() > step.config.priority())
                .isPresent();
    }

    /** The candidate is appointed. It follows us in a moment, and then leads without a delay. */
    static void handOverSoon(Step step, Leading leading) {
        step.state = leading;
        step.emit(new Command.WakeAt(leading.requestId(), step.view.now().nanos() + 4 * HandingOver.HEAD_START));
    }

    /** Without a connection it leads on, as long as its lease lasts. */
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
     * The candidate is appointed. A request goes along with the hand-over, which shows its author that it was carried out.
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
