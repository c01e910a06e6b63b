package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Draining;
import io.github.leaderelection.zookeeper.protocol.State;
import org.jspecify.annotations.Nullable;

/**
 * Waits until no candidate of ours is left on a session that is about to be replaced: work has drained, and the nodes are gone,
 * or ZooKeeper has not answered for a lease. Confined to the loop.
 */
final class Vacating {

    private final Clock clock;
    private final ConnectionState connection;
    private final HostedElections elections;
    private final DeadlineTimer timeout;
    private @Nullable Runnable onVacated;
    private long deadline;

    Vacating(Timers timers, Clock clock, ConnectionState connection, HostedElections elections) {
        this.clock = clock;
        this.connection = connection;
        this.elections = elections;
        this.timeout = new DeadlineTimer(timers, this::endIfVacated);
    }

    /** Has to be called before the elections leave. */
    void begin(Runnable onVacated) {
        this.onVacated = onVacated;
        extend();
    }

    private void extend() {
        deadline = clock.nanos() + connection.lease() * 1_000_000;
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

    private boolean isAwaited() {
        for (HostedElection hosted : elections.all()) {
            State state = hosted.election().state();
            boolean draining = state instanceof Draining;
            if (draining) {
                extend();
            }
            boolean mayStillGo = connection.isUp() && clock.nanos() - deadline < 0;
            if (draining || mayStillGo && state.candidacy() != null) {
                timeout.noLaterThan(deadline);
                return true;
            }
        }
        return false;
    }
}
