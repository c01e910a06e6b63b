package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Whether the connection can be used, for those who wait for it. What was told last counts. */
final class ConnectionGate {

    private final Duration patience;
    private CompletableFuture<Void> ready = new CompletableFuture<>();

    /** @param patience how long to wait for ZooKeeper */
    ConnectionGate(Duration patience) {
        this.patience = patience;
    }

    void ready() {
        undecided().complete(null);
    }

    void refused(ElectionException obstacle) {
        undecided().completeExceptionally(obstacle);
    }

    private synchronized CompletableFuture<Void> undecided() {
        if (ready.isDone()) {
            ready = new CompletableFuture<>();
        }
        return ready;
    }

    private synchronized CompletableFuture<Void> current() {
        return ready;
    }

    /**
     * Waits until the connection can be used.
     *
     * @throws ElectionException if it can't be, or that takes too long
     */
    void await() {
        await(
                current(),
                "No usable connection to ZooKeeper within %s (connection-timeout): is a server running at that address?");
    }

    /**
     * Waits for something that takes ZooKeeper.
     *
     * @param late what to say if it takes too long
     */
    void await(CompletableFuture<Void> future, String late) {
        try {
            future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException over) {
            throw new ElectionConnectionException(late.formatted(patience));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ElectionConnectionException("Interrupted while waiting for ZooKeeper");
        } catch (ExecutionException refused) {
            Throwable cause =
                    refused.getCause() instanceof CompletionException wrapper ? wrapper.getCause() : refused.getCause();
            throw cause instanceof ElectionException known
                    ? known
                    : new ElectionException("No usable connection to ZooKeeper", refused);
        }
    }
}
