package io.github.leaderelection.sample.demo;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Streams a complete snapshot to all open pages four times a second, so that a page can connect at any time. */
@Component
class SnapshotStream implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SnapshotStream.class);
    private static final long PERIOD_MILLIS = 250;

    private final DemoSnapshotFactory snapshots;
    private final Set<SseEmitter> pages = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService sender =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "snapshot-stream"));

    SnapshotStream(DemoSnapshotFactory snapshots) {
        this.snapshots = snapshots;
        sender.scheduleAtFixedRate(this::send, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    SseEmitter open() {
        SseEmitter page = new SseEmitter(0L);
        page.onCompletion(() -> pages.remove(page));
        page.onError(gone -> pages.remove(page));
        pages.add(page);
        return page;
    }

    private void send() {
        if (!pages.isEmpty()) {
            try {
                DemoSnapshot snapshot = snapshots.create();
                pages.removeIf(page -> !trySend(page, snapshot));
            } catch (RuntimeException failure) {
                // An exception that escapes from here silently cancels the periodic task.
                log.warn("Could not send the snapshot", failure);
            }
        }
    }

    private static boolean trySend(SseEmitter page, DemoSnapshot snapshot) {
        try {
            page.send(snapshot, MediaType.APPLICATION_JSON);
            return true;
        } catch (IOException | IllegalStateException gone) {
            return false;
        }
    }

    @Override
    public void close() {
        sender.shutdownNow();
    }
}
