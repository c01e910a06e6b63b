package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.Event;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Carries out what elections want done, with what belongs to their connection. Confined to the loop. */
public final class Clerk {

    private final AsyncClient client;
    private final ReadBatcher batcher;
    private final RequestThrottle throttle;
    private final Heartbeat heartbeat;
    private final LeaseTimer leaseTimer;
    private final Timers timers;
    private final BiConsumer<HostedElection, Event> step;
    private final Consumer<HostedElection> clear;

    /**
     * @param step takes what has come of a command to its election
     * @param clear deletes what is left of an ended election
     */
    Clerk(
            AsyncClient client,
            ReadBatcher batcher,
            RequestThrottle throttle,
            Heartbeat heartbeat,
            LeaseTimer leaseTimer,
            Timers timers,
            BiConsumer<HostedElection, Event> step,
            Consumer<HostedElection> clear) {
        this.client = client;
        this.batcher = batcher;
        this.throttle = throttle;
        this.heartbeat = heartbeat;
        this.leaseTimer = leaseTimer;
        this.timers = timers;
        this.step = step;
        this.clear = clear;
    }

    void execute(HostedElection hosted, Command command) {
        if (command instanceof Command.Send send) {
            send(hosted, send);
        } else if (command instanceof Command.SendTogether together) {
            if (together.urgent()) {
                batcher.sendAlone(hosted, together.reads());
            } else {
                batcher.add(hosted, together.reads());
            }
        } else if (command instanceof Command.SendWhenIdle later) {
            throttle.whenIdle(() -> send(hosted, later.send()));
        } else if (command instanceof Command.Heartbeat) {
            heartbeat.ensure(leaseTimer.interval());
        } else if (command instanceof Command.CreateHeartbeat) {
            heartbeat.make();
        } else if (command instanceof Command.Wake wake) {
            timers.at(wake.nanos(), () -> wake(hosted, wake.requestId()));
        } else if (command instanceof Command.WakeWhenIdle wake) {
            throttle.whenIdle(() -> wake(hosted, wake.requestId()));
        } else if (command instanceof Command.WakeWhenThereIsRoom wake) {
            throttle.whenThereIsRoom(() -> wake(hosted, wake.requestId()));
        } else if (command instanceof Command.Clear) {
            clear.accept(hosted);
        } else if (command instanceof Command.News news) {
            news.tell(hosted.callbacks());
        }
    }

    private void send(HostedElection hosted, Command.Send send) {
        client.send(send.request(), reply -> step.accept(hosted, new Event.Replied(send, reply)));
    }

    private void wake(HostedElection hosted, long requestId) {
        step.accept(hosted, new Event.Woken(requestId));
    }
}
