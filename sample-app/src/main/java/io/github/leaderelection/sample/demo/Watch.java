package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.shop.ShopStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Follows what one replica tells about itself, for as long as this process runs. */
final class Watch implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(Watch.class);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofMillis(100);
    private static final String DATA = "data:";

    private final Replica replica;
    private final Story story;
    private final JsonMapper json;

    Watch(Replica replica, Story story, JsonMapper json) {
        this.replica = replica;
        this.story = story;
        this.json = json;
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            replica.url().ifPresent(this::follow);
            story.silent(replica.name());
            LockSupport.parkNanos(RETRY.toNanos());
        }
    }

    /** Returns when there is nothing to be heard any more. A socket's read timeout tells that best. */
    private void follow(URI url) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) url.resolve("/status/stream").toURL().openConnection();
            connection.setConnectTimeout((int) PATIENCE.toMillis());
            connection.setReadTimeout((int) PATIENCE.toMillis());
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith(DATA)) {
                        tell(json.readValue(line.substring(DATA.length()), ShopStatus.class));
                    }
                }
            } finally {
                connection.disconnect();
            }
        } catch (IOException | JacksonException lost) {
            log.debug("{} is not heard from: {}", replica.name(), lost.toString());
        }
    }

    private void tell(ShopStatus status) {
        boolean current =
                replica.process().map(process -> process.pid() == status.pid()).orElse(true);
        story.tell(replica.name(), status);
        if (current) {
            replica.seen(status);
        }
    }
}
