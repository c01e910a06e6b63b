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
import org.springframework.core.Ordered;

/**
 * Opens the elections when the application starts, joins them when it is ready, and leaves the elections before other
 * parts of the application stop, such as the web server and the connection to ZooKeeper.
 */
public final class ElectionLifecycle
        implements SmartLifecycle, ApplicationListener<ApplicationEvent>, ApplicationContextAware, Ordered {

    private static final Logger log = LoggerFactory.getLogger(ElectionLifecycle.class);

    /**
     * A web application that is being closed refuses traffic before its context publishes the closed event. The delay
     * ensures that its terms then end with the reason SHUTDOWN, rather than NOT_READY.
     */
    static final Duration NOT_READY_DELAY = Duration.ofMillis(500);

    private final ApplicationElections elections;
    private final boolean leaveWhenNotReady;
    private final Duration shutdownTimeout;
    private @Nullable ApplicationContext context;
    private @Nullable CompletableFuture<?> shutdown;
    private boolean running;
    private boolean ready;
    private boolean acceptsTraffic;

    /**
     * Creates the lifecycle of the given elections.
     *
     * @param shutdownTimeout how long the application waits for the elections when it stops
     */
    public ElectionLifecycle(ApplicationElections elections, boolean leaveWhenNotReady, Duration shutdownTimeout) {
        this.elections = elections;
        this.leaveWhenNotReady = leaveWhenNotReady;
        this.shutdownTimeout = shutdownTimeout;
    }

    @Override
    public void setApplicationContext(ApplicationContext context) {
        this.context = context;
    }

    /** Before listeners that wait for the end of the work of a term. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE - 10;
    }

    @Override
    public boolean supportsAsyncExecution() {
        // An asynchronous multicaster would not preserve the order of the events.
        return false;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (event instanceof ApplicationReadyEvent started && started.getApplicationContext() == context) {
            onReady();
        } else if (event instanceof AvailabilityChangeEvent<?> change && isOfThisContext(change)) {
            onAvailabilityChange(change.getState());
        } else if (event instanceof ContextClosedEvent closed && closed.getApplicationContext() == context) {
            shutDown();
        }
    }

    /** The source of the event may be any object. Only events of other contexts, such as a child, are ignored. */
    private boolean isOfThisContext(AvailabilityChangeEvent<?> change) {
        return !(change.getSource() instanceof ApplicationContext other) || other == context;
    }

    private synchronized void onReady() {
        ready = true;
        nominateIfReady();
    }

    private synchronized void onAvailabilityChange(Object state) {
        if (!leaveWhenNotReady || !(state instanceof ReadinessState)) {
            return;
        }
        acceptsTraffic = state == ReadinessState.ACCEPTING_TRAFFIC;
        if (acceptsTraffic) {
            nominateIfReady();
        } else {
            DelayedTasks.run(NOT_READY_DELAY, this::withdrawIfStillNotReady);
        }
    }

    private synchronized void withdrawIfStillNotReady() {
        if (isActive() && !acceptsTraffic) {
            log.info("Withdrawing from all elections because the application refuses traffic");
            elections.withdrawAll(RevocationReason.NOT_READY);
        }
    }

    private void nominateIfReady() {
        if (isActive() && (acceptsTraffic || !leaveWhenNotReady)) {
            elections.nominateAll();
        }
    }

    private boolean isActive() {
        return running && ready && shutdown == null;
    }

    /** Starts the hand-over at once, while other beans still run; {@link #stop(Runnable)} waits for it. */
    private synchronized void shutDown() {
        if (running && shutdown == null) {
            CompletableFuture<?> withdrawn = elections.withdrawAll(RevocationReason.SHUTDOWN);
            shutdown = CompletableFuture.allOf(withdrawn, elections.provider().shutDown());
        }
    }

    @Override
    public synchronized void start() {
        // Opens all elections, so that errors fail the startup.
        elections.all();
        running = true;
        nominateIfReady();
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
        leave().orTimeout(shutdownTimeout.toMillis(), TimeUnit.MILLISECONDS).whenComplete((left, failure) -> {
            if (failure != null) {
                log.warn("Not all elections could be handed over within {}: {}", shutdownTimeout, failure.toString());
            }
            callback.run();
        });
    }

    private synchronized CompletableFuture<?> leave() {
        running = false;
        return shutdown != null ? shutdown.copy() : elections.withdrawAll(RevocationReason.SHUTDOWN);
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }
}
