package io.github.leaderelection.zookeeper.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other, in the order of submission. The thread that submits a task to an idle loop runs it:
 * tasks are short and never block, and handing them to another thread would take longer.
 */
public final class Loop implements Executor {

    private static final Logger log = LoggerFactory.getLogger(Loop.class);

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (waiting.getAndIncrement() == 0) {
            do {
                runNext();
            } while (waiting.decrementAndGet() != 0);
        }
    }

    private void runNext() {
        Runnable next = tasks.poll();
        if (next == null) {
            return;
        }
        try {
            next.run();
        } catch (Throwable bug) {
            // Errors as well: all elections would otherwise stop forever.
            log.error("Unexpected failure in the election loop, which continues", bug);
        }
    }
}
