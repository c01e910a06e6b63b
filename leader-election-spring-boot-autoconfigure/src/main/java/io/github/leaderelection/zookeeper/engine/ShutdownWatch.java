package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Draining;

/**
 * Ends the wait for ZooKeeper while all elections are being left: if it does not answer, there is nothing to wait for once all
 * work has drained. Confined to the loop.
 */
public final class ShutdownWatch {

    private static final long LONGEST_SILENCE = 1_500_000_000L;
    private static final long INTERVAL = 100_000_000L;

    private final Engine engine;
    private final Clock clock;
    private final Runnable giveUp;
    private long lastSign;
    private boolean over;

    public ShutdownWatch(Engine engine, Clock clock, Runnable giveUp) {
        this.engine = engine;
        this.clock = clock;
        this.giveUp = giveUp;
    }

    public void begin() {
        lastSign = clock.nanos();
        check();
    }

    public void end() {
        over = true;
    }

    private void check() {
        if (over) {
            return;
        }
        long now = clock.nanos();
        long sign = isDraining() ? now : engine.client.answeredAt();
        lastSign = sign - lastSign > 0 ? sign : lastSign;
        if (now - lastSign > LONGEST_SILENCE) {
            giveUp.run();
        } else {
            engine.timers.at(now + INTERVAL, this::check);
        }
    }

    /** Whether an election waits for listeners or leader-only work. */
    private boolean isDraining() {
        return engine.elections.all().stream()
                .anyMatch(hosted -> hosted.election().state() instanceof Draining);
    }
}
