package io.github.leaderelection.lifecycle;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.support.DelayedTasks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Opens the elections when the application starts, joins them when it is ready, and leaves them before anything else of
 * it stops: the web server, the connection to ZooKeeper.
 */
public final class ElectionLifecycle
        implements SmartLifecycle, ApplicationListener<ApplicationEvent>, ApplicationContextAware {

    private static final Logger log = LoggerFactory.getLogger(ElectionLifecycle.class);

    /**
     * A web application that is closed refuses traffic first, and tells a moment later that it closes. Its terms are to
     * end because of that, not because it is not ready: so whoever refuses traffic leaves only after this time.
     */
    static final Duration MOMENT = Duration.ofMillis(500);

    private final ApplicationElections elections;
    private final boolean leaveWhenNotReady;
    private final Duration patience;
    private @Nullable ApplicationContext context;
    private @Nullable CompletableFuture<?> shutdown;
    private boolean running;
    private boolean ready;
    private boolean acceptsTraffic;

    /** @param patience how long the application waits for the elections when it stops */
    public ElectionLifecycle(ApplicationElections elections, boolean leaveWhenNotReady, Duration patience) {
        this.elections = elections;
        this.leaveWhenNotReady = leaveWhenNotReady;
        this.patience = patience;
    }

    @Override
    public void setApplicationContext(ApplicationContext context) {
        this.context = context;
    }

    @Override
    public boolean supportsAsyncExecution() {
        // With an asynchronous multicaster the order of events would not be kept.
        return false;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (event instanceof ApplicationReadyEvent started && started.getApplicationContext() == context) {
            becomeReady();
        } else if (event instanceof AvailabilityChangeEvent<?> change && isOurs(change)) {
            availabilityChanged(change.getState());
        } else if (event instanceof ContextClosedEvent closed && closed.getApplicationContext() == context) {
            shutDown();
        }
    }

    /** Whoever publishes it may name any source; only that of another context, such as a child's, is not about us. */
    private boolean isOurs(AvailabilityChangeEvent<?> change) {
        return !(change.getSource() instanceof ApplicationContext other) || other == context;
    }

    private synchronized void becomeReady() {
        ready = true;
        joinIfDue();
    }

    private synchronized void availabilityChanged(Object state) {
        if (!leaveWhenNotReady || !(state instanceof ReadinessState)) {
            return;
        }
        acceptsTraffic = state == ReadinessState.ACCEPTING_TRAFFIC;
        if (acceptsTraffic) {
            joinIfDue();
        } else {
            DelayedTasks.run(MOMENT, this::leaveUnlessOvertaken);
        }
    }

    /** By traffic that is accepted again, or by the end of the application. */
    private synchronized void leaveUnlessOvertaken() {
        if (isUp() && !acceptsTraffic) {
            log.info("The application is not ready for traffic: it withdraws from its elections");
            elections.participation().leave(elections.all(), RevocationReason.NOT_READY);
        }
    }

    private void joinIfDue() {
        if (isUp() && (acceptsTraffic || !leaveWhenNotReady)) {
            elections.participation().join();
        }
    }

    private boolean isUp() {
        return running && ready && shutdown == null;
    }

    /** Begins at once to hand over, while everything else still runs; {@link #stop(Runnable)} waits for it. */
    private synchronized void shutDown() {
        if (running && shutdown == null) {
            CompletableFuture<?> left = elections.participation().leave(elections.all(), RevocationReason.SHUTDOWN);
            shutdown = CompletableFuture.allOf(left, elections.source().shutDown());
        }
    }

    @Override
    public synchronized void start() {
        // Opens them all: whatever is wrong with one of them is known before the application goes on.
        elections.all();
        running = true;
        joinIfDue();
    }

    @Override
    public void stop() {
        var stopped = new CountDownLatch(1);
        stop(stopped::countDown);
        try {
            stopped.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop(Runnable callback) {
        leave().orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).whenComplete((left, failure) -> {
            if (failure != null) {
                log.warn("Not all elections were left in good order within {}: {}", patience, failure.toString());
            }
            callback.run();
        });
    }

    private synchronized CompletableFuture<?> leave() {
        running = false;
        return shutdown != null
                ? shutdown.copy()
                : elections.participation().leave(elections.all(), RevocationReason.SHUTDOWN);
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }
}
