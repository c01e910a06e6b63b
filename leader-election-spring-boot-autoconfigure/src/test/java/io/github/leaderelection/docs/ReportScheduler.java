package io.github.leaderelection.docs;

import io.github.leaderelection.WhileLeader;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.quartz.Scheduler;
import org.springframework.context.Lifecycle;
import org.springframework.stereotype.Component;

@Component
@WhileLeader("reports")
class ReportScheduler implements Lifecycle {

    private final Scheduler scheduler;

    ReportScheduler(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public void start() {
        call(scheduler::start);
    }

    /** Returns when the running jobs have ended: the hand-over waits for them. */
    @Override
    public void stop() {
        call(() -> {
            scheduler.standby();
            while (!scheduler.getCurrentlyExecutingJobs().isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        });
    }

    @Override
    public boolean isRunning() {
        return call(() -> scheduler.isStarted() && !scheduler.isInStandbyMode());
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void call(Action action) {
        call(() -> {
            action.run();
            return true;
        });
    }

    private static boolean call(Callable<Boolean> action) {
        try {
            return action.call();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }
}
