package io.github.leaderelection.zookeeper.engine;

/**
 * Ends the shutdown's wait for ZooKeeper: if it does not answer, there is nothing to wait for once all work has
 * drained. Confined to the loop.
 */
public final class ShutdownWatch {

    private static final long LONGEST_SILENCE = 1_000_000_000L;
    private static final long INTERVAL = 100_000_000L;

    private final Engine engine;
    private final Runnable giveUp;
    private long lastSign;
    private boolean over;

    public ShutdownWatch(Engine engine, Runnable giveUp) {
        this.engine = engine;
        this.giveUp = giveUp;
    }

    public void begin() {
        lastSign = engine.clock.nanos();
        check();
    }

    public void end() {
        over = true;
    }

    private void check() {
        if (over) {
            return;
        }
        long now = engine.clock.nanos();
        long sign = isDraining() ? now : engine.client.answeredAt();
        lastSign = sign - lastSign > 0 ? sign : lastSign;
        if (now - lastSign > LONGEST_SILENCE) {
            giveUp.run();
        } else {
            engine.after(INTERVAL, this::check);
        }
    }

    /** Whether an election waits for listeners or leader-only work. */
    private boolean isDraining() {
        return engine.elections.all().stream()
                .anyMatch(hosted -> hosted.election().drains());
    }
}
