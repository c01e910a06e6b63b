package io.github.leaderelection.local;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread at a time change an election. As an executor it runs tasks, such as code of the application, in order
 * after the change that submitted them, when the lock is free.
 */
final class ChangeLock implements Executor {

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    /** Makes a change, which may make further changes. */
    <T> T change(Supplier<T> change) {
        T result = locked(change);
        if (!lock.isHeldByCurrentThread()) {
            for (Runnable next = locked(tasks::poll); next != null; next = locked(tasks::poll)) {
                next.run();
            }
        }
        return result;
    }

    void change(Runnable change) {
        change(() -> {
            change.run();
            return true;
        });
    }

    @Override
    public void execute(Runnable task) {
        change(() -> tasks.add(task));
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
