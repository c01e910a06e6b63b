package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * R20: the node stays until listeners have heard of the term's end and leader-only work is done, or the drain timeout
 * is over.
 *
 * @param led the term that ended by leaving; null if it did not lead
 * @param requestId the pending read of a candidate that is to lead instead of the heir
 */
public record Draining(Departure departure, @Nullable Leading led, long requestId) implements Leaving {

    public Draining(Departure departure, @Nullable Leading led) {
        this(departure, led, NO_REQUEST);
    }

    /**
     * R18: a leader hands over only after its term was revoked. With spreading, the candidate that leads least is next,
     * so that the election moves once. Without an heir, writes to other candidates' nodes may be forbidden.
     */
    static void beginAsLeader(Step step, Leading leading, AfterLeaving then) {
        Holding holding = leading.holding();
        String to = holding.heir().isEmpty() || !step.view.connected()
                ? null
                : step.view.receiver().get();
        boolean another = to != null && !to.equals(holding.heir());
        long requestId = another ? step.nextRequestId() : NO_REQUEST;
        begin(step, Departure.of(leading.ownNode(), then, leading.term()), leading, requestId);
        if (to != null && another) {
            step.send(Purpose.HEIR, requestId, new Request.Get(step.config.node(to), false));
        }
    }

    static void beginMove(Step step, Leading leading, Move move) {
        Departure departure = Departure.of(leading.ownNode(), AfterLeaving.REJOIN, leading.term());
        begin(step, departure.with(move), leading, NO_REQUEST);
    }

    private static void begin(Step step, Departure departure, Leading leading, long requestId) {
        step.state = new Draining(departure, leading, requestId);
        step.emit(new Command.Drain(leading.term()));
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

    /** Removes the watch that would outlive our own node. */
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
        return new Draining(departure, led, requestId);
    }

    /** R34: its heartbeats continue; otherwise it would seem crashed, and be deposed while its work is running. */
    @Override
    public long heartbeatInterval() {
        return led == null ? 0 : led.heartbeatInterval();
    }

    @Override
    public void drained(Step step, long term) {
        CandidateNode ownNode = departure.ownNode();
        if (term == departure.term() && ownNode != null) {
            if (requestId == NO_REQUEST) {
                giveUp(step, departure.drained(), ownNode);
            } else {
                step.state = with(departure.drained());
            }
        }
    }

    /** Touching its node wakes the candidate, which does not follow us as the heir does. */
    @Override
    public void replied(Step step, Command.Send to, Reply reply) {
        Draining informed = new Draining(departure, led);
        if (reply.ok() && led != null) {
            String node = Paths.name(to.request().path());
            List<Request> touch = List.of(new Request.Set(to.request().path(), reply.data(), -1));
            Holding holding = led.holding();
            Succession succession = led.succession().handedTo(node, holding.heir(), step.config, touch);
            informed = new Draining(departure, led.with(holding.with(node)).with(succession));
        }
        step.state = informed;
        CandidateNode ownNode = departure.ownNode();
        if (departure.term() == 0 && ownNode != null) {
            informed.giveUp(step, departure, ownNode);
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
