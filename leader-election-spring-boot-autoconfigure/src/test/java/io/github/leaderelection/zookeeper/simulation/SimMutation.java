package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import org.apache.zookeeper.KeeperException.Code;

/** A rule taken out of the engine, to see whether the simulation notices; by default everything is as it should be. */
interface SimMutation {

    SimMutation NONE = new SimMutation() {};

    default StateMachine protocol(StateMachine protocol) {
        return protocol;
    }

    default AsyncClient client(AsyncClient client, SimHost host) {
        return client;
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
