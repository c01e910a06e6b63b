package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.Successor;
import org.jspecify.annotations.Nullable;

/**
 * R20: the node stays until listeners have heard of the term's end and leader-only work is done, or the time for that is
 * over.
 *
 * @param successor who comes next; null if it did not lead
 * @param version the record's, as its leader knows it
 */
public record Draining(Departure departure, @Nullable Successor successor, int version) implements Leaving {

    /** R18: a leader hands over only after its term was revoked. */
    static void beginAsLeader(Step step, Leading leading, AfterLeaving then) {
        long term = leading.term();
        step.state = new Draining(Departure.of(leading.ownNode(), then, term), leading.successor(), leading.version());
        step.emit(new Command.Drain(term));
    }

    /** Leaves without leading; but work that an earlier term admitted may still be running. */
    static void begin(Step step, Queued queued, AfterLeaving then) {
        removeWatch(step, queued);
        long term = step.drain();
        Departure departure = Departure.of(queued.ownNode(), then, term);
        if (term > 0) {
            step.state = new Draining(departure, null, 0);
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
        return new Draining(departure, successor, version);
    }

    @Override
    public void drained(Step step, long term) {
        CandidateNode ownNode = departure.ownNode();
        if (term == departure.term() && ownNode != null) {
            giveUp(step, departure.drained(), ownNode);
        }
    }

    private void giveUp(Step step, Departure drained, CandidateNode ownNode) {
        if (successor == null || !step.view.connected()) {
            Deleting.begin(step, drained, ownNode);
        } else if (successor.isKnown()) {
            HandingOver.begin(step, drained, ownNode, successor, version);
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
