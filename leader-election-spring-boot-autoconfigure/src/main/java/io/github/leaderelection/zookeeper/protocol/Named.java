package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.znode.CandidateQueue;

/**
 * The record names our node: leads as soon as a heartbeat proves that the node exists, and listeners have returned from
 * the last term.
 */
public record Named(CandidateNode ownNode, CandidateQueue queue, Holding holding) implements Queued {

    /** Leads at once if a recent heartbeat proves the node (R14). */
    static void begin(Step step, CandidateNode ownNode, CandidateQueue queue, Holding holding) {
        new Named(ownNode, queue, holding).leadIf(step, ownNode.armed());
    }

    /** A claim that was committed has checked the node itself: it needs no watch for that. */
    static void claimed(Step step, CandidateNode ownNode, CandidateQueue queue, Holding holding) {
        new Named(ownNode, queue, holding).leadIf(step, true);
    }

    private void leadIf(Step step, boolean proofCounts) {
        if (!step.allHeard()) {
            step.state = this;
        } else if (proofCounts && ownNode.provenWithin(fresh(lease(step)), step.view.now())) {
            Leading.begin(step, this);
        } else {
            step.state = this;
            step.arm(ownNode);
            step.emit(new Command.SendHeartbeat());
        }
    }

    /** The age up to which a heartbeat leaves time for the next one; an heir's is at most half a lease old. */
    static long fresh(long lease) {
        return lease * 2 / 3;
    }

    /** R15: by the shorter of the record's lease and our own. */
    long lease(Step step) {
        return step.view.validity(holding.lease());
    }

    @Override
    public Named with(CandidateNode ownNode) {
        return new Named(ownNode, queue, holding);
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
