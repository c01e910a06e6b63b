package io.github.leaderelection.zookeeper;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Carries out what elections want done, with what belongs to their connection. Confined to the loop. */
final class Clerk {

    private final Wire wire;
    private final Bundles bundles;
    private final Agenda agenda;
    private final Beat beat;
    private final Pulse pulse;
    private final Timers timers;
    private final BiConsumer<Cell, Signal> step;
    private final Consumer<Cell> clear;

    /**
     * @param step takes what has come of a command to its election
     * @param clear deletes what is left of an ended election
     */
    Clerk(
            Wire wire,
            Bundles bundles,
            Agenda agenda,
            Beat beat,
            Pulse pulse,
            Timers timers,
            BiConsumer<Cell, Signal> step,
            Consumer<Cell> clear) {
        this.wire = wire;
        this.bundles = bundles;
        this.agenda = agenda;
        this.beat = beat;
        this.pulse = pulse;
        this.timers = timers;
        this.step = step;
        this.clear = clear;
    }

    void execute(Cell cell, Command command) {
        if (command instanceof Command.Send send) {
            send(cell, send);
        } else if (command instanceof Command.SendTogether together) {
            if (together.urgent()) {
                bundles.sendAlone(cell, together.reads());
            } else {
                bundles.add(cell, together.reads());
            }
        } else if (command instanceof Command.SendWhenIdle later) {
            agenda.whenIdle(() -> send(cell, later.send()));
        } else if (command instanceof Command.Beat) {
            beat.ensure(pulse.interval());
        } else if (command instanceof Command.MakeBeat) {
            beat.make();
        } else if (command instanceof Command.Wake wake) {
            timers.at(wake.nanos(), () -> wake(cell, wake.flight()));
        } else if (command instanceof Command.WakeWhenIdle wake) {
            agenda.whenIdle(() -> wake(cell, wake.flight()));
        } else if (command instanceof Command.WakeWhenThereIsRoom wake) {
            agenda.whenThereIsRoom(() -> wake(cell, wake.flight()));
        } else if (command instanceof Command.Clear) {
            clear.accept(cell);
        } else if (command instanceof Command.News news) {
            news.tell(cell.outlet());
        }
    }

    private void send(Cell cell, Command.Send send) {
        wire.send(send.request(), reply -> step.accept(cell, new Signal.Replied(send, reply)));
    }

    private void wake(Cell cell, long flight) {
        step.accept(cell, new Signal.Woken(flight));
    }
}
