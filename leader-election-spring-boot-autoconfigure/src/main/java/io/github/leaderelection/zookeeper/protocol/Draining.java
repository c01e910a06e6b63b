package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import org.jspecify.annotations.Nullable;

/**
 * R20: the node stays until listeners have heard of the term's end and leader-only work is done, or the time for that is
 * over.
 *
 * @param led the term that ended by leaving; null if it did not lead
 */
public record Draining(Departure departure, @Nullable Leading led) implements Leaving {

    /** R18: a leader hands over only after its term was revoked. */
    static void beginAsLeader(Step step, Leading leading, AfterLeaving then) {
        long term = leading.term();
        step.state = new Draining(Departure.of(leading.ownNode(), then, term), leading);
        step.emit(new Command.Drain(term));
    }

    /** Leaves without leading; but work that an earlier term admitted may still be running. */
    static void begin(Step step, Queued queued, AfterLeaving then) {
        removeWatch(step, queued);
        long term = step.drain();
        Departure departure = Departure.of(queued.ownNode(), then, term);
        if (term > 0) {
            step.state = new Draining(departure, null);
        } else {
            Deleting.begin(step, departure, queued.ownNode());
        }
    }

    /** Removes the watch that would not go with our own node. */
    private static void removeWatch(Step step, Queued queued) {
        String watched = null;
        Following following = queued.followed();
        if (following != null) {
            watched = following.predecessor().path();
        } else if (queued.waited() != null) {
            watched = step.config.record();
        }
        if (watched != null && step.view.connected()) {
            step.send(Purpose.CLEAN_UP, NO_REQUEST, new Request.RemoveWatches(watched, false));
        }
    }

    @Override
    public Draining with(Departure departure) {
        return new Draining(departure, led);
    }

    /** R34: it beats on, because it would be taken for crashed otherwise, and deposed while its work is running. */
    @Override
    public long heartbeatInterval() {
        return led == null ? 0 : led.heartbeatInterval();
    }

    @Override
    public void drained(Step step, long term) {
        CandidateNode ownNode = departure.ownNode();
        if (term == departure.term() && ownNode != null) {
            giveUp(step, departure.drained(), ownNode);
        }
    }

    private void giveUp(Step step, Departure drained, CandidateNode ownNode) {
        if (led == null || !step.view.connected()) {
            Deleting.begin(step, drained, ownNode);
        } else if (led.succession().isKnown()) {
            HandingOver.begin(step, drained, ownNode, led.succession(), led.holding());
        } else {
            // Led too briefly to learn its successor.
            Inspecting.begin(step, drained);
        }
    }

    @Override
    public void recheck(Step step) {}

    @Override
    public void disconnected(Step step, boolean watchesKept) {}
}
