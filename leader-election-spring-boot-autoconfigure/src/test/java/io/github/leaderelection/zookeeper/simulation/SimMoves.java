package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.engine.EngineConfig;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Queued;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Moves by policy, in every third schedule: leaders hand over to higher priorities, elections are spread by the engine, and
 * leaders are told at any time to hand over to any candidate. It has random numbers of its own, so that other schedules stay as
 * they are.
 */
final class SimMoves {

    private static final int SCHEDULES = 3;

    private final Simulation simulation;
    private final Random random;
    private final boolean on;
    private boolean over;
    private int done;

    SimMoves(Simulation simulation, long seed) {
        this.simulation = simulation;
        this.random = new Random(seed);
        this.on = Math.floorMod(seed / SimProfile.values().length, SCHEDULES) == 1;
    }

    int done() {
        return done;
    }

    void moved() {
        done++;
    }

    @Nullable
    Duration preemptAfter() {
        return on && random.nextBoolean() ? Duration.ofMillis(200 + random.nextInt(3_000)) : null;
    }

    EngineConfig.@Nullable Spread spread() {
        return on && random.nextBoolean()
                ? new EngineConfig.Spread(Duration.ofMillis(200 + random.nextInt(2_000)), 1 + random.nextInt(3))
                : null;
    }

    void begin() {
        if (on) {
            next();
        }
    }

    /** No more moves at random; those of the policies go on. */
    void end() {
        over = true;
    }

    private void next() {
        simulation.scheduler().after((200 + random.nextInt(2_000)) * SimScheduler.MILLIS, () -> {
            if (!over) {
                moveAny();
                next();
            }
        });
    }

    /** Perhaps to a candidate that has left in the meantime, or whose process is asleep. */
    private void moveAny() {
        List<SimElection> all = simulation.hosts().stream()
                .filter(host -> !host.isDead())
                .flatMap(host -> host.elections().stream())
                .toList();
        for (SimElection leader : all) {
            if (leader.state() instanceof Leading && random.nextBoolean()) {
                List<String> others = all.stream()
                        .filter(other -> other != leader && other.path().equals(leader.path()))
                        .flatMap(other -> other.state() instanceof Queued queued
                                ? Stream.of(queued.ownNode().name())
                                : Stream.empty())
                        .toList();
                if (!others.isEmpty()) {
                    leader.handle(new Event.Spread(others.get(random.nextInt(others.size()))));
                }
            }
        }
    }
}
