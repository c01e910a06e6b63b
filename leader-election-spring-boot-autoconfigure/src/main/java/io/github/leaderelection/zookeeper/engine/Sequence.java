package io.github.leaderelection.zookeeper.engine;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Runs one thing after the other on one thread: what a task brings about comes after the task, before all others. */
public final class Sequence implements Executor {

    private final Queue<Runnable> pending = new ArrayDeque<>();
    private boolean running;

    @Override
    public void execute(Runnable task) {
        pending.add(task);
        if (running) {
            return;
        }
        running = true;
        try {
            for (Runnable next = pending.poll(); next != null; next = pending.poll()) {
                next.run();
            }
        } finally {
            running = false;
        }
    }
}
