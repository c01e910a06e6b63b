package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.znode.CandidateQueue;

/**
 * The record names our node: leads as soon as a heartbeat proves that the node exists, and listeners have returned from the
 * last term.
 *
 * @param granted the lease in the record, which others wait for
 */
public record Named(CandidateNode ownNode, CandidateQueue queue, int version, long granted) implements Queued {

    /** Leads at once if a recent heartbeat proves the node (R14). */
    static void begin(Step step, CandidateNode ownNode, CandidateQueue queue, int version, long granted) {
        new Named(ownNode, queue, version, granted).leadIf(step, ownNode.armed());
    }

    /** A claim that was committed has checked the node itself: it needs no watch for that. */
    static void claimed(Step step, CandidateNode ownNode, CandidateQueue queue, int version, long granted) {
        new Named(ownNode, queue, version, granted).leadIf(step, true);
    }

    private void leadIf(Step step, boolean proofCounts) {
        if (!step.allHeard()) {
            step.state = this;
        } else if (proofCounts && ownNode.provenWithin(lease(step) / 2, step.view.now())) {
            Leading.begin(step, this);
        } else {
            step.state = this;
            step.arm(ownNode);
            step.emit(new Command.SendHeartbeat());
        }
    }

    /** R15: the shorter of the record's lease and our own. */
    long lease(Step step) {
        return Math.min(granted, step.view.lease());
    }

    @Override
    public Named with(CandidateNode ownNode) {
        return new Named(ownNode, queue, version, granted);
    }

    /** A heartbeat that was acknowledged before the watch was set did not count. */
    @Override
    public void ownNodeArmed(Step step) {
        step.emit(new Command.SendHeartbeat());
    }

    @Override
    public void proven(Step step, Moment sent) {
        Named proven = with(ownNode.prove(sent));
        step.state = proven;
        if (!step.allHeard()) {
            return;
        }
        if (proven.ownNode.provenWithin(lease(step), step.view.now())) {
            Leading.begin(step, proven);
        } else {
            step.emit(new Command.SendHeartbeat());
        }
    }

    @Override
    public void heard(Step step) {
        leadIf(step, ownNode.armed());
    }
}
