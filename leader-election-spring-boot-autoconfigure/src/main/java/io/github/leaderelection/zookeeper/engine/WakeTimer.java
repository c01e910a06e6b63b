package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.Event;

/**
 * Wakes elections that wait for a time. One timer serves all of them: the heirs of one connection wait for the same
 * time, and there may be a thousand. An election waits for one time only, the last that it has asked for.
 */
final class WakeTimer {

    /** Of many elections that wait for almost the same time, some wait this much longer, so that they share a look. */
    private static final long SLACK = 1_000_000;

    private final Engine engine;
    private final DeadlineTimer next;

    WakeTimer(Engine engine) {
        this.engine = engine;
        this.next = new DeadlineTimer(engine, this::wakeThoseDue);
    }

    void set(HostedElection hosted, Command.WakeAt wake) {
        hosted.wake = wake;
        next.noLaterThan(wake.nanos());
    }

    private void wakeThoseDue() {
        long soonest = engine.clock.nanos() + SLACK;
        for (HostedElection hosted : engine.elections.all()) {
            Command.WakeAt wake = hosted.wake;
            if (wake == null) {
                continue;
            }
            if (engine.clock.nanos() - wake.nanos() >= 0) {
                hosted.wake = null;
                hosted.handle(new Event.Woken(wake.requestId()));
            } else {
                next.noLaterThan(Math.max(wake.nanos(), soonest));
            }
        }
    }
}
