package io.github.leaderelection.term;

import io.github.leaderelection.Leadership;
import java.util.concurrent.CompletableFuture;

/**
 * Work that runs for a term. It is not started again before it has ended, and a request to stop that arrives while it
 * starts takes effect as soon as it has started.
 */
abstract class TermWork {

    private enum State {
        IDLE,
        STARTING,
        RUNNING,
        STOPPING
    }

    private final String name;
    private final int phase;
    private State state = State.IDLE;
    private boolean stopRequested;
    private CompletableFuture<Void> end = CompletableFuture.completedFuture(null);

    TermWork(String name, int phase) {
        this.name = name;
        this.phase = phase;
    }

    /** @throws io.github.leaderelection.support.MisconfigurationException if it runs already, before any term */
    void requireNotStarted() {}

    /** @param ended to be called when the work has ended, whether it was stopped or not; may be called repeatedly */
    abstract void doStart(Leadership term, Runnable ended) throws Exception;

    /** Requests the end of the work and returns at once. */
    abstract void doStop(Runnable ended);

    /** Interrupts what can be interrupted, because the work should have ended. */
    abstract void interrupt();

    /** Whether the calling thread does the work, and therefore must not wait for its end. */
    boolean runsHere() {
        return false;
    }

    final String name() {
        return name;
    }

    final int phase() {
        return phase;
    }

    final void start(Leadership term) throws Exception {
        CompletableFuture<Void> run = begin();
        try {
            doStart(term, () -> end(run));
        } catch (Throwable failure) {
            // Part of the work may be running.
            started(run);
            stop();
            throw failure;
        }
        if (started(run)) {
            stop();
        }
    }

    private synchronized CompletableFuture<Void> begin() {
        if (state != State.IDLE) {
            throw new IllegalStateException(name + " still runs for an earlier term");
        }
        state = State.STARTING;
        stopRequested = false;
        end = new CompletableFuture<>();
        return end;
    }

    /** Returns whether the work has to be stopped. */
    private synchronized boolean started(CompletableFuture<Void> run) {
        if (end == run && state == State.STARTING) {
            state = State.RUNNING;
            return stopRequested;
        }
        return false;
    }

    /** Requests the end and returns at once; the result completes when the work has ended. */
    final CompletableFuture<Void> stop() {
        CompletableFuture<Void> run;
        synchronized (this) {
            run = end;
            stopRequested = true;
            if (state != State.RUNNING) {
                return run;
            }
            state = State.STOPPING;
        }
        doStop(() -> end(run));
        return run;
    }

    private void end(CompletableFuture<Void> run) {
        synchronized (this) {
            if (end == run) {
                state = State.IDLE;
            }
        }
        run.complete(null);
    }

    final synchronized boolean isRunning() {
        return state != State.IDLE;
    }

    @Override
    public String toString() {
        return name;
    }
}
