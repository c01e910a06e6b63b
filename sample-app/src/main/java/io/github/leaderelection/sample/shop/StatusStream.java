package io.github.leaderelection.sample.shop;

import io.github.leaderelection.event.ElectionEvent;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Streams the status to its subscribers, four times a second and after every election event. Otherwise subscribers would
 * miss the last events of an instance that shuts down. Sending uses its own thread, so that a slow subscriber does not
 * delay a handover.
 */
@Component
class StatusStream implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(StatusStream.class);
    private static final long PERIOD_MILLIS = 250;

    private final Map<SseEmitter, Supplier<ShopStatus>> subscribers = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor sender =
            new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "status-stream"));
    private volatile boolean running;

    SseEmitter open(Supplier<ShopStatus> status) {
        SseEmitter subscriber = new SseEmitter(0L);
        subscriber.onCompletion(() -> subscribers.remove(subscriber));
        subscriber.onError(gone -> subscribers.remove(subscriber));
        subscribers.put(subscriber, status);
        return subscriber;
    }

    @EventListener
    void onElectionEvent(ElectionEvent event) {
        if (running) {
            sender.execute(this::send);
        }
    }

    private void send() {
        subscribers.forEach((subscriber, status) -> {
            try {
                send(subscriber, status.get());
            } catch (RuntimeException failure) {
                // An exception that escapes from here silently cancels the periodic task.
                log.warn("Could not send the status", failure);
            }
        });
    }

    private void send(SseEmitter subscriber, ShopStatus status) {
        try {
            subscriber.send(status);
        } catch (IOException | IllegalStateException gone) {
            subscribers.remove(subscriber);
        }
    }

    @Override
    public void start() {
        running = true;
        sender.scheduleAtFixedRate(this::send, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Runs after the elections are left, and before the web server stops, which would wait for open streams. */
    @Override
    public void stop() {
        running = false;
        sender.execute(this::send);
        sender.shutdown();
        try {
            sender.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        subscribers.keySet().forEach(SseEmitter::complete);
    }

    @Override
    public int getPhase() {
        return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE + 1;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
