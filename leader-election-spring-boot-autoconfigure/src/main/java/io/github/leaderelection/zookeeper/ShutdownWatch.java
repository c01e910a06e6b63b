package io.github.leaderelection.zookeeper;

import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.engine.Engine;

/**
 * Ends the wait for ZooKeeper while all elections are being left: if it does not answer, there is nothing to wait for once all
 * work has drained. Confined to the loop.
 */
final class ShutdownWatch {

    private static final long LONGEST_SILENCE = 1_500_000_000L;
    private static final long INTERVAL = 100_000_000L;

    private final Engine engine;
    private final Clock clock;
    private final Runnable giveUp;
    private long lastSign;
    private boolean over;

    ShutdownWatch(Engine engine, Clock clock, Runnable giveUp) {
        this.engine = engine;
        this.clock = clock;
        this.giveUp = giveUp;
    }

    void begin() {
        lastSign = clock.nanos();
        check();
    }

    void end() {
        over = true;
    }

    private void check() {
        if (over) {
            return;
        }
        long now = clock.nanos();
        long sign = engine.isDraining() ? now : engine.answeredAt();
        lastSign = sign - lastSign > 0 ? sign : lastSign;
        if (now - lastSign > LONGEST_SILENCE) {
            giveUp.run();
        } else {
            engine.timers().at(now + INTERVAL, this::check);
        }
    }
}
