package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Draining;
import io.github.leaderelection.zookeeper.protocol.State;
import org.jspecify.annotations.Nullable;

/**
 * Waits until a session that is about to be replaced has no candidates left: work has drained and the nodes are gone,
 * or ZooKeeper has not answered for a lease. Confined to the loop.
 */
final class Vacating implements Runnable {

    private final Engine engine;
    private final DeadlineTimer timeout;
    private @Nullable Runnable onVacated;
    private long deadline;

    Vacating(Engine engine) {
        this.engine = engine;
        this.timeout = new DeadlineTimer(engine, this);
    }

    /** Has to be called before the elections leave. */
    void begin(Runnable onVacated) {
        this.onVacated = onVacated;
        extend();
    }

    private void extend() {
        deadline = engine.clock.nanos() + engine.connection.lease() * 1_000_000;
    }

    boolean isUnderWay() {
        return onVacated != null;
    }

    /** To be called after each step of an election, and when the connection is lost. */
    void endIfVacated() {
        Runnable done = onVacated;
        if (done != null && !isAwaited()) {
            onVacated = null;
            done.run();
        }
    }

    @Override
    public void run() {
        endIfVacated();
    }

    private boolean isAwaited() {
        for (HostedElection hosted : engine.elections.all()) {
            State state = hosted.election().state();
            boolean draining = state instanceof Draining;
            if (draining) {
                extend();
            }
            boolean mayStillGo = engine.connection.isUp() && engine.clock.nanos() - deadline < 0;
            if (draining || mayStillGo && state.candidacy() != null) {
                timeout.noLaterThan(deadline);
                return true;
            }
        }
        return false;
    }
}
