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

/** Sends the whole picture to all open pages, four times a second: a page that comes late or again has missed nothing. */
@Component
class PageStream implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PageStream.class);
    private static final long PERIOD_MILLIS = 250;

    private final Scene scene;
    private final Set<SseEmitter> pages = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService sender =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "page-stream"));

    PageStream(Scene scene) {
        this.scene = scene;
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
                Scene.Picture picture = scene.picture();
                pages.removeIf(page -> !isSent(page, picture));
            } catch (RuntimeException failure) {
                // Thrown from here, it would end the schedule without a word.
                log.warn("A picture cannot be sent", failure);
            }
        }
    }

    private static boolean isSent(SseEmitter page, Scene.Picture picture) {
        try {
            page.send(picture, MediaType.APPLICATION_JSON);
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
