package io.github.leaderelection.actuate;

import io.github.leaderelection.support.ManagedElection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leaves elections in the background, because running work may delay a hand-over for longer than a request may take. */
final class Departures {

    private static final Logger log = LoggerFactory.getLogger(Departures.class);

    private static final Executor THREADS = task -> {
        Thread thread = new Thread(task, "election-departure");
        thread.setDaemon(true);
        thread.start();
    };

    private final Map<String, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();

    /**
     * Starts to leave an election, and waits a moment for the outcome. Rethrows the exception of a departure that fails
     * within that time; logs it otherwise.
     */
    void start(ManagedElection election, Runnable departure, long timeoutNanos) {
        String name = election.name();
        var left = CompletableFuture.runAsync(departure, THREADS);
        underWay.put(name, left);
        left.whenComplete((done, failure) -> underWay.remove(name, left));
        try {
            left.get(timeoutNanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException draining) {
            left.whenComplete((done, failure) -> logFailure(name, failure));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause
                    ? cause
                    : new CompletionException(failed.getCause());
        }
    }

    private static void logFailure(String election, Throwable failure) {
        if (failure != null) {
            Throwable cause = failure.getCause() != null ? failure.getCause() : failure;
            log.warn("Election '{}' could not be left as requested: {}", election, cause.getMessage());
        }
    }

    boolean isUnderWay(String election) {
        CompletableFuture<Void> departure = underWay.get(election);
        // A departure that is done is removed only after those who wait for it are released.
        return departure != null && !departure.isDone();
    }
}
