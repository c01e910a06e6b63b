package io.github.leaderelection.zookeeper;

import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.engine.Engine;
import io.github.leaderelection.zookeeper.engine.Loop;
import io.github.leaderelection.zookeeper.engine.Timers;
import java.util.function.Consumer;

/**
 * What all elections of one connection share.
 *
 * @param onClosed told of each election that is over for this process
 */
record EngineContext(
        ElectionOptions options,
        Loop loop,
        Engine engine,
        Timers timers,
        Clock clock,
        Consumer<ZooKeeperElection> onClosed) {}
