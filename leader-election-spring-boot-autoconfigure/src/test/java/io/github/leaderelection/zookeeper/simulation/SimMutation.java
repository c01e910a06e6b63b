package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import org.apache.zookeeper.KeeperException.Code;

/** Removes a rule from the engine, to see whether the simulation notices. By default it changes nothing. */
interface SimMutation {

    SimMutation NONE = new SimMutation() {};

    default StateMachine protocol(StateMachine protocol, SimHost host) {
        return protocol;
    }

    default AsyncClient client(AsyncClient client, SimHost host) {
        return client;
    }

    /** The condition of a guarded write, see {@code Leadership.guard()}. */
    default Reply guard(SimTransaction transaction, SimElection.LedNode ledNode) {
        return Reply.of(transaction.before().get(ledNode.path()) != null ? Code.OK : Code.NONODE);
    }

    /** The clock that measures leases. */
    default Clock clock(Clock clock) {
        return clock;
    }

    /** By how much watch events are delayed, so that answers overtake them. */
    default long eventsDelayedBy() {
        return 0;
    }
}
