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
 * Sends the status to whoever watches, four times a second and at every event. Watchers would otherwise miss the last
 * events of an instance that shuts down. Sent on a thread of its own: a slow watcher must not delay a hand-over.
 */
@Component
class StatusStream implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(StatusStream.class);
    private static final long PERIOD_MILLIS = 250;

    private final Map<SseEmitter, Supplier<ShopStatus>> watchers = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor sender =
            new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "status-stream"));
    private volatile boolean running;

    SseEmitter open(Supplier<ShopStatus> status) {
        SseEmitter watcher = new SseEmitter(0L);
        watcher.onCompletion(() -> watchers.remove(watcher));
        watcher.onError(gone -> watchers.remove(watcher));
        watchers.put(watcher, status);
        return watcher;
    }

    @EventListener
    void changed(ElectionEvent event) {
        if (running) {
            sender.execute(this::send);
        }
    }

    private void send() {
        watchers.forEach((watcher, status) -> {
            try {
                send(watcher, status.get());
            } catch (RuntimeException failure) {
                // Thrown from here, it would end the schedule without a word.
                log.warn("The status cannot be told", failure);
            }
        });
    }

    private void send(SseEmitter watcher, ShopStatus status) {
        try {
            watcher.send(status);
        } catch (IOException | IllegalStateException gone) {
            watchers.remove(watcher);
        }
    }

    @Override
    public void start() {
        running = true;
        sender.scheduleAtFixedRate(this::send, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Called after the elections have been left, and before the web server stops, which would wait for the watchers. */
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
        watchers.keySet().forEach(SseEmitter::complete);
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
