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

/** Reads the status stream of a replica, and reconnects whenever it ends. */
final class StatusStreamClient implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(StatusStreamClient.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration RETRY_DELAY = Duration.ofMillis(100);
    private static final String DATA_PREFIX = "data:";

    private final Replica replica;
    private final History history;
    private final JsonMapper json;

    StatusStreamClient(Replica replica, History history, JsonMapper json) {
        this.replica = replica;
        this.history = history;
        this.json = json;
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            replica.url().ifPresent(this::read);
            history.notResponding(replica.name());
            LockSupport.parkNanos(RETRY_DELAY.toNanos());
        }
    }

    /** Returns when the stream ends or the read timeout elapses, which {@code HttpURLConnection} applies to each read. */
    private void read(URI url) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) url.resolve("/status/stream").toURL().openConnection();
            connection.setConnectTimeout((int) TIMEOUT.toMillis());
            connection.setReadTimeout((int) TIMEOUT.toMillis());
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith(DATA_PREFIX)) {
                        handle(json.readValue(line.substring(DATA_PREFIX.length()), ShopStatus.class));
                    }
                }
            } finally {
                connection.disconnect();
            }
        } catch (IOException | JacksonException failure) {
            log.debug("No status from {}: {}", replica.name(), failure.toString());
        }
    }

    private void handle(ShopStatus status) {
        boolean current =
                replica.process().map(process -> process.pid() == status.pid()).orElse(true);
        history.statusReceived(replica.name(), status);
        // The last status of a previous process is history, but says nothing about the current process.
        if (current) {
            replica.statusReceived(status);
        }
    }
}
