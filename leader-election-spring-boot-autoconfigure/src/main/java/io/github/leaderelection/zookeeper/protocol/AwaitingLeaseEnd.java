package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * First in the queue, and waiting until the last holder's lease must be over.
 *
 * @param claim on the record that was read; a different one starts the wait anew
 * @param until the end of the wait, by the monotonic clock
 */
public record AwaitingLeaseEnd(CandidateNode ownNode, long requestId, CandidateQueue queue, Claim claim, long until)
        implements Queued {

    /**
     * Waits for that lease, counted from the given time. An earlier wait for the same record counts, if it ends sooner.
     */
    static void begin(Step step, Evaluating evaluating, CandidateQueue queue, Claim claim, long from, long lease) {
        long until = from + LeaderRecord.waitNanos(lease);
        AwaitingLeaseEnd waited = evaluating.waited();
        long end = waited != null && waited.claim.equals(claim) && waited.until - until < 0 ? waited.until : until;
        CandidateNode ownNode = evaluating.ownNode();
        if (end - step.view.now().nanos() <= 0) {
            Claiming.begin(step, ownNode, queue, claim);
            return;
        }
        long requestId = step.nextRequestId();
        step.state = new AwaitingLeaseEnd(ownNode, requestId, queue, claim, end);
        step.arm(ownNode);
        // The holder may release the record before the wait is over.
        step.send(Purpose.RECORD, requestId, new Request.Get(step.config.record(), true));
        step.emit(new Command.WakeAt(requestId, end));
    }

    @Override
    public AwaitingLeaseEnd with(CandidateNode ownNode) {
        return new AwaitingLeaseEnd(ownNode, requestId, queue, claim, until);
    }

    @Override
    public AwaitingLeaseEnd waited() {
        return this;
    }

    @Override
    public void woken(Step step) {
        Claiming.begin(step, ownNode, queue, claim);
    }

    /** R13: a changed record starts the wait anew. */
    @Override
    public void otherChanged(Step step, String path, EventType type) {
        if (path.equals(step.config.record())) {
            Evaluating.begin(step, this);
        }
    }

    /** The record as it was when its watch was set. */
    @Override
    public void answered(Step step, Command.Send to, Reply reply) {
        boolean known = reply.ok() || reply.noNode();
        if (to.purpose() == Purpose.RECORD && known && !Claim.of(reply).equals(claim)) {
            Evaluating.begin(step, this);
        }
    }

    /** The wait ends by itself, and soon. */
    @Override
    public void recheck(Step step) {}
}
