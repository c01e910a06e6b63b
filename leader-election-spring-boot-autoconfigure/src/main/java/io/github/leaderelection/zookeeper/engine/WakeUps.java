package io.github.leaderelection.zookeeper.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs tasks of the elections at a given time, with one timer for all tasks that are due at the same time: a thousand
 * heirs of one connection wait for the end of the same lease. Confined to the loop.
 */
final class WakeUps {

    private final Timers timers;
    private final Map<Long, List<Runnable>> due = new HashMap<>();

    WakeUps(Timers timers) {
        this.timers = timers;
    }

    void at(long nanos, Runnable task) {
        List<Runnable> tasks = due.get(nanos);
        if (tasks == null) {
            tasks = new ArrayList<>(1);
            due.put(nanos, tasks);
            timers.at(nanos, () -> run(nanos));
        }
        tasks.add(task);
    }

    private void run(long nanos) {
        List<Runnable> tasks = due.remove(nanos);
        if (tasks != null) {
            tasks.forEach(Runnable::run);
        }
    }
}
