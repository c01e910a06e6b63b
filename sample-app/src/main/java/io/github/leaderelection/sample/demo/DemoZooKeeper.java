package io.github.leaderelection.sample.demo;

import io.github.leaderelection.autoconfigure.embedded.EmbeddedZooKeeper;
import io.github.leaderelection.support.MisconfigurationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.stereotype.Component;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.StringUtils;

/** ZooKeeper for the demo: an embedded server, unless a connect string is configured. */
@Component
class DemoZooKeeper implements AutoCloseable {

    /** Name in events and messages. */
    static final String NAME = "ZooKeeper";

    private final String connectString;
    private final @Nullable Path data;
    private @Nullable EmbeddedZooKeeper server;

    DemoZooKeeper(DemoProperties properties, @Value("${leader-election.zookeeper.connect-string:}") String configured)
            throws IOException {
        if (StringUtils.hasText(configured) || !properties.replicas().isEmpty()) {
            data = null;
            connectString = configured;
        } else {
            data = Files.createTempDirectory("demo-zookeeper");
            EmbeddedZooKeeper started = EmbeddedZooKeeper.start(0, data.toString());
            server = started;
            connectString = started.connectString();
        }
    }

    String connectString() {
        return connectString;
    }

    boolean isEmbedded() {
        return data != null;
    }

    /** Returns whether the embedded server is running. An external server is assumed to be. */
    synchronized boolean isRunning() {
        return server != null || !isEmbedded();
    }

    /** Stops the embedded server but keeps its data, and thereby the sessions. */
    synchronized void stop() {
        EmbeddedZooKeeper running = server;
        if (running != null) {
            server = null;
            try {
                running.close();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** Starts the embedded server again, on the same port and with the same data. */
    synchronized void start() {
        Path directory = data;
        if (server == null && directory != null) {
            int port = Integer.parseInt(connectString.substring(connectString.lastIndexOf(':') + 1));
            try {
                server = EmbeddedZooKeeper.start(port, directory.toString());
            } catch (MisconfigurationException failure) {
                // Its advice refers to properties that the demo does not have.
                Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
                throw new IllegalStateException("port %d: %s".formatted(port, cause.getMessage()), failure);
            }
        }
    }

    @Override
    public void close() throws IOException {
        stop();
        FileSystemUtils.deleteRecursively(data);
    }
}
