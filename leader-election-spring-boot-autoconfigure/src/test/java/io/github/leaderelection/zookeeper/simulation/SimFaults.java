package io.github.leaderelection.zookeeper.simulation;

import org.jspecify.annotations.Nullable;

/** Faults of the network, the servers and the processes. */
final class SimFaults {

    private final SimChaos chaos;
    private final Simulation simulation;
    private final SimScheduler scheduler;
    private final SimQuorum quorum;

    SimFaults(SimChaos chaos, Simulation simulation) {
        this.chaos = chaos;
        this.simulation = simulation;
        this.scheduler = simulation.scheduler();
        this.quorum = simulation.quorum();
    }

    // the network

    void cut(@Nullable SimHost host) {
        if (host != null) {
            host.client().lose(host.client().connection(), scheduler.chance(0.6));
        }
    }

    /** The client notices at once, and cannot connect again before the time is over. */
    void cutOffFor(SimHost host, long duration) {
        host.cutOffUntil(scheduler.now() + duration);
        cut(host);
    }

    void blackHole(SimHost host) {
        SimConnection connection = host.client().connection();
        if (connection != null) {
            connection.blackHole();
            host.client().updateHealth();
            chaos.later(500, 3_000, () -> host.client().lose(connection, true));
        }
    }

    void unreachable(SimHost host) {
        host.cutOffUntil(scheduler.now() + scheduler.millis(200, 9_000));
        if (scheduler.chance(0.5)) {
            cut(host);
        } else {
            blackHole(host);
        }
    }

    // the servers

    void freeze(@Nullable SimHost host) {
        SimConnection connection = host == null ? null : host.client().connection();
        if (host != null && connection != null && !connection.isFrozen()) {
            connection.freeze(scheduler.chance(0.5) ? SimConnection.Server.DEPOSED : SimConnection.Server.CUT_OFF);
            host.client().updateHealth();
            chaos.later(300, 9_000, () -> host.client().lose(connection, true));
        }
    }

    void freezeAndExpire(SimHost host) {
        freeze(host);
        chaos.later(0, 2_500, () -> expire(host));
    }

    void expire(@Nullable SimHost host) {
        SimQuorum.Session session = host == null ? null : host.client().session();
        if (session != null && quorum.isUp()) {
            quorum.expire(session);
        }
    }

    void outage() {
        quorum.down(scheduler.now() + scheduler.millis(200, 8_000));
        simulation.hosts().forEach(this::cut);
    }

    // the processes

    void pause(@Nullable SimHost host, boolean suspended) {
        if (host == null || host.isAsleep() || suspended && simulation.jumpsBack(host)) {
            return;
        }
        if (suspended) {
            host.clock().suspend();
        }
        pauseFor(host, scheduler.chance(0.5) ? scheduler.millis(10, 1_500) : scheduler.millis(1_000, 9_000));
    }

    void pauseFor(SimHost host, long duration) {
        if (!host.isAsleep()) {
            host.sleep();
            scheduler.after(duration, host::wake);
        }
    }

    void clockJump(SimHost host) {
        boolean back = simulation.jumpsBack(host) && scheduler.chance(0.5);
        long by = scheduler.chance(0.5) ? 3_600_000 : scheduler.between(100L, 5_000L);
        host.clock().setForward(back ? -by : by);
        simulation.checker().check();
    }

    void crash(@Nullable SimHost host) {
        if (host != null) {
            host.kill();
            chaos.later(0, 5_000, () -> simulation.restart(host));
        }
    }
}
