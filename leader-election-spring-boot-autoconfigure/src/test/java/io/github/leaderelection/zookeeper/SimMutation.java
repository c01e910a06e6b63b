package io.github.leaderelection.zookeeper;

import org.apache.zookeeper.KeeperException.Code;

/** A rule taken out of the engine, to see whether the simulation notices; by default everything is as it should be. */
interface SimMutation {

    SimMutation NONE = new SimMutation() {};

    default Transition protocol(Transition protocol) {
        return protocol;
    }

    default Wire wire(Wire wire, SimHost host) {
        return wire;
    }

    /** The condition of a guarded write: see {@code Leadership.guard()}. */
    default Reply guard(SimTransaction transaction, SimElection.Reigned reigned) {
        return Reply.of(transaction.before().get(reigned.path()) != null ? Code.OK : Code.NONODE);
    }

    /** The clock that leases are measured with. */
    default Clock clock(Clock clock) {
        return clock;
    }

    /** How much later than answers events are taken out of the queue. */
    default long eventsDelayedBy() {
        return 0;
    }
}
