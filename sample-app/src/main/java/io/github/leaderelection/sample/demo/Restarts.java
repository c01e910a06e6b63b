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
 * Restarts of replicas and of ZooKeeper. Each of them is restarted by one request at a time: of two processes that are
 * started for one replica, the first would be forgotten and go on leading. Who asks does not wait for the end, so a
 * failure is told on the page.
 */
@Component
class Restarts {

    private static final Logger log = LoggerFactory.getLogger(Restarts.class);

    private final Story story;
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    Restarts(Story story) {
        this.story = story;
    }

    boolean isUnderWay(String subject) {
        return underWay.contains(subject);
    }

    /** @param outage the time between the end of {@code stop} and {@code start} */
    void restart(String subject, Runnable stop, Duration outage, Runnable start) {
        if (!underWay.add(subject)) {
            throw new IllegalStateException(subject + " is being restarted already");
        }
        CompletableFuture.runAsync(stop)
                .thenRunAsync(start, CompletableFuture.delayedExecutor(outage.toMillis(), TimeUnit.MILLISECONDS))
                .whenComplete((done, failure) -> ended(subject, failure));
    }

    private void ended(String subject, @Nullable Throwable failure) {
        underWay.remove(subject);
        if (failure != null) {
            // The outer one is a CompletionException.
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            log.warn("{} cannot be restarted", subject, cause);
            story.note(subject, "cannot be restarted: " + cause.getMessage());
        }
    }
}
