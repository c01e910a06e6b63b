package io.github.leaderelection.sample.demo;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Restarts replicas and ZooKeeper in the background, with at most one restart in progress for each of them. Two concurrent
 * restarts of a replica would start two processes, and the demo would lose track of the first. The page shows failures as
 * events.
 */
@Component
class RestartCoordinator {

    private static final Logger log = LoggerFactory.getLogger(RestartCoordinator.class);

    private final History history;
    private final Set<String> inProgress = ConcurrentHashMap.newKeySet();

    RestartCoordinator(History history) {
        this.history = history;
    }

    boolean isInProgress(String subject) {
        return inProgress.contains(subject);
    }

    /**
     * Starts a restart and returns at once.
     *
     * @param outage time between the end of {@code stop} and {@code start}
     */
    void restart(String subject, Runnable stop, Duration outage, Runnable start) {
        if (!inProgress.add(subject)) {
            throw new IllegalStateException(subject + " is already being restarted");
        }
        CompletableFuture.runAsync(stop)
                .thenRunAsync(start, CompletableFuture.delayedExecutor(outage.toMillis(), TimeUnit.MILLISECONDS))
                .whenComplete((done, failure) -> completed(subject, failure));
    }

    private void completed(String subject, @Nullable Throwable failure) {
        inProgress.remove(subject);
        if (failure != null) {
            // Unwrap the CompletionException.
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            log.warn("Could not restart {}", subject, cause);
            history.addNote(subject, "restart failed: " + cause.getMessage());
        }
    }
}
