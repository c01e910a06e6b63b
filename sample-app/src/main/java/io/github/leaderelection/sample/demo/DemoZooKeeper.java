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

/** The ZooKeeper of the demo: a server in this process, unless the address of another one is given. */
@Component
class DemoZooKeeper implements AutoCloseable {

    /** What the page calls it. */
    static final String NAME = "ZooKeeper";

    private final String connectString;
    private final @Nullable Path data;
    private @Nullable EmbeddedZooKeeper server;

    DemoZooKeeper(DemoProperties properties, @Value("${leader-election.zookeeper.connect-string:}") String givenAddress)
            throws IOException {
        if (StringUtils.hasText(givenAddress) || !properties.replicas().isEmpty()) {
            data = null;
            connectString = givenAddress;
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

    boolean isOurs() {
        return data != null;
    }

    /** Whether the server in this process runs; of another one that is not known. */
    synchronized boolean isRunning() {
        return server != null || !isOurs();
    }

    /** Stops the server; it keeps its data, and so the sessions. */
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

    /** Starts it again where it was. */
    synchronized void start() {
        Path directory = data;
        if (server == null && directory != null) {
            int port = Integer.parseInt(connectString.substring(connectString.lastIndexOf(':') + 1));
            try {
                server = EmbeddedZooKeeper.start(port, directory.toString());
            } catch (MisconfigurationException failure) {
                // Its advice is about properties that the demo does not have.
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
