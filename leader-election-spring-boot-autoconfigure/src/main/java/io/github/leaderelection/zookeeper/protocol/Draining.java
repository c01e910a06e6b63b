package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.Paths;
import org.jspecify.annotations.Nullable;

/**
 * R20: the node stays until listeners have heard of the term's end and leader-only work is done, or the drain timeout
 * is over.
 *
 * @param led the term that ended by leaving; null if it did not lead
 * @param chosen how it hands over to another candidate than the heir; null if it does not
 * @param requestId the pending read of a candidate that is to lead instead of the heir
 */
public record Draining(Departure departure, @Nullable Leading led, HandingOver.@Nullable Plan chosen, long requestId)
        implements Leaving {

    public Draining(Departure departure, @Nullable Leading led) {
        this(departure, led, null, NO_REQUEST);
    }

    /**
     * R18: a leader hands over only after its term was revoked. With spreading, the candidate that leads least is next,
     * so that the election moves once. Without an heir, writes to other candidates' nodes may be forbidden.
     */
    static void beginAsLeader(Step step, Leading leading, AfterLeaving then) {
        String heir = leading.holding().heir();
        String to = heir.isEmpty() || !step.view.connected()
                ? null
                : step.view.receiver().get();
        Draining draining = new Draining(Departure.of(leading.ownNode(), then, leading.term(), null), leading);
        step.state = draining;
        step.emit(new Command.Drain(leading.term()));
        if (to != null && !to.equals(heir)) {
            long requestId = step.nextRequestId();
            step.state = new Draining(draining.departure, leading, null, requestId);
            step.read(Purpose.HEIR, requestId, to);
        }
    }

    static void beginMove(Step step, Leading leading, Move move, HandingOver.Plan plan) {
        Departure departure = Departure.of(leading.ownNode(), AfterLeaving.REJOIN, leading.term(), move);
        step.state = new Draining(departure, leading, plan, NO_REQUEST);
        step.emit(new Command.Drain(leading.term()));
    }

    /** Leaves without leading; but work that an earlier term admitted may still be running. */
    static void begin(Step step, Queued queued, AfterLeaving then) {
        removeWatch(step, queued);
        long term = step.drain();
        Departure departure = Departure.of(queued.ownNode(), then, term, null);
        if (term > 0) {
            step.state = new Draining(departure, null);
        } else {
            Deleting.begin(step, departure);
        }
    }

    /** Removes the watch that would outlive our own node. */
    private static void removeWatch(Step step, Queued queued) {
        Following following = queued.followed();
        String watched = following != null ? following.predecessor().path() : step.config.record();
        if ((following != null || queued.waited() != null) && step.view.connected()) {
            step.send(Purpose.CLEAN_UP, NO_REQUEST, new Request.RemoveWatches(watched, false));
        }
    }

    @Override
    public Draining with(Departure departure) {
        return new Draining(departure, led, chosen, requestId);
    }

    /** R34: its heartbeats continue; otherwise it would seem crashed, and be deposed while its work is running. */
    @Override
    public long heartbeatInterval() {
        return led == null ? 0 : led.heartbeatInterval();
    }

    @Override
    public void drained(Step step, long term) {
        if (requestId != NO_REQUEST) {
            Leaving.super.drained(step, term);
        } else if (term == departure.term()) {
            giveUp(step, departure.drained());
        }
    }

    /** Touching its node wakes the candidate, which does not follow us as the heir does. */
    @Override
    public void replied(Step step, Command.Send to, Reply reply) {
        HandingOver.Plan plan = null;
        if (reply.ok() && led != null) {
            String path = to.request().path();
            Request touch = new Request.Set(path, reply.data(), -1);
            plan = led.succession().planFor(Paths.name(path), led.holding().heir(), step.config, touch);
        }
        Draining informed = new Draining(departure, led, plan, NO_REQUEST);
        step.state = informed;
        if (departure.term() == 0) {
            informed.giveUp(step, departure);
        }
    }

    private void giveUp(Step step, Departure drained) {
        if (led == null || !step.view.connected()) {
            Deleting.begin(step, drained);
        } else if (led.succession().isKnown()) {
            HandingOver.Plan plan = chosen != null ? chosen : led.succession().plan(led.holding());
            HandingOver.begin(step, drained, led.ownNode(), led.holding(), plan);
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
