package io.github.leaderelection.lifecycle;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ManagedElection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Withdraws this instance from its elections while it is unhealthy, so that a healthy instance leads, and nominates it again
 * afterwards. An election does not remain without a candidate: an instance that has withdrawn returns if all others
 * have withdrawn, too.
 */
public final class UnhealthyCandidateMonitor implements ApplicationListener<ApplicationReadyEvent>, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(UnhealthyCandidateMonitor.class);

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(5);

    private final ApplicationElections elections;
    private final BooleanSupplier down;
    private final Duration tolerance;
    private final Map<ManagedElection, Boolean> left = new ConcurrentHashMap<>();
    private final ScheduledExecutorService executor = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "election-health");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicBoolean started = new AtomicBoolean();
    private @Nullable Long downSince;

    /**
     * Creates a monitor.
     *
     * @param down whether this instance is unhealthy; may block
     * @param tolerance how long this instance may be unhealthy before it withdraws
     */
    public UnhealthyCandidateMonitor(ApplicationElections elections, BooleanSupplier down, Duration tolerance) {
        this.elections = elections;
        this.down = down;
        this.tolerance = tolerance;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent ready) {
        // The events of child applications arrive here, too.
        if (started.compareAndSet(false, true)) {
            scheduleNext();
        }
    }

    /** Instances check at different times, so that they do not leave, or return, all at once. */
    private void scheduleNext() {
        long interval = Math.min(tolerance.toMillis() / 4, LONGEST_INTERVAL.toMillis());
        long jitter = ThreadLocalRandom.current().nextLong(interval / 2 + 1);
        if (!executor.isShutdown()) {
            executor.schedule(this::check, interval / 2 + jitter + 1, TimeUnit.MILLISECONDS);
        }
    }

    private void check() {
        try {
            if (!down.getAsBoolean()) {
                downSince = null;
                left.keySet().forEach(election -> rejoin(election, "the application is healthy again"));
            } else if (isDownForTooLong()) {
                elections.managed().forEach(this::leaveOrReturn);
            }
        } catch (RuntimeException failure) {
            log.warn("The health of the application could not be checked: {}", failure.toString());
        } finally {
            scheduleNext();
        }
    }

    private boolean isDownForTooLong() {
        long now = System.nanoTime();
        if (downSince == null) {
            downSince = now;
        }
        return now - downSince >= tolerance.toNanos();
    }

    private void leaveOrReturn(ManagedElection election) {
        boolean candidate = election.role() != Role.OBSERVER && election.role() != Role.CLOSED;
        if (!candidate && !left.containsKey(election)) {
            return;
        }
        int candidates = candidates(election);
        if (candidate && candidates > 1) {
            log.info(
                    "Withdrawing from election '{}' because the application has been unhealthy for {}",
                    election.name(),
                    tolerance);
            left.put(election, true);
            elections.suspend(election, RevocationReason.UNHEALTHY);
        } else if (!candidate && candidates == 0) {
            rejoin(election, "it has no other candidate");
        }
    }

    private void rejoin(ManagedElection election, String reason) {
        if (left.remove(election) != null) {
            log.info("Joining election '{}' again, because {}", election.name(), reason);
            elections.resume(election);
        }
    }

    /** Returns 1, so that nothing changes, if the candidates could not be read. */
    private static int candidates(ManagedElection election) {
        try {
            return election.electorate()
                    .get(READ_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .candidates()
                    .size();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return 1;
        } catch (ExecutionException | TimeoutException unavailable) {
            return 1;
        }
    }

    @Override
    public void destroy() {
        executor.shutdownNow();
    }
}
