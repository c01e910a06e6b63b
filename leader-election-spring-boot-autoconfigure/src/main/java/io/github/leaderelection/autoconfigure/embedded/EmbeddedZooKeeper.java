package io.github.leaderelection.autoconfigure.embedded;

import io.github.leaderelection.support.MisconfigurationException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.StringUtils;

/** A single ZooKeeper server in this process, on the loopback interface. For development only. */
public final class EmbeddedZooKeeper implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedZooKeeper.class);
    private static final int TICK_MILLIS = 500;
    private static final int CONNECTIONS_PER_CLIENT = 1_000;

    private final ServerCnxnFactory connections;
    private final ZooKeeperServer server;
    private final @Nullable Path temporary;

    private EmbeddedZooKeeper(ServerCnxnFactory connections, ZooKeeperServer server, @Nullable Path temporary) {
        this.connections = connections;
        this.server = server;
        this.temporary = temporary;
    }

    /**
     * Starts a server.
     *
     * @param port the port, or zero for any free port
     * @param dataDirectory the directory, or null for a temporary one that is deleted on close
     */
    public static EmbeddedZooKeeper start(int port, @Nullable String dataDirectory) {
        requireLibraries();
        try {
            return StringUtils.hasText(dataDirectory)
                    ? start(port, Files.createDirectories(Path.of(dataDirectory)), false)
                    : startTemporary(port);
        } catch (IOException failure) {
            throw new MisconfigurationException(
                    "The embedded ZooKeeper server could not be started on port %d with its data in %s: %s."
                            .formatted(port, dataDirectory == null ? "a temporary directory" : dataDirectory, failure),
                    "Change leader-election.zookeeper.embedded.port (0 for any free port) or leader-election.zookeeper.embedded.data-directory.",
                    failure);
        }
    }

    private static EmbeddedZooKeeper startTemporary(int port) throws IOException {
        Path data = Files.createTempDirectory("embedded-zookeeper");
        try {
            return start(port, data, true);
        } catch (IOException | RuntimeException failure) {
            FileSystemUtils.deleteRecursively(data);
            throw failure;
        }
    }

    private static EmbeddedZooKeeper start(int port, Path data, boolean temporary) throws IOException {
        try {
            ZooKeeperServer server = new ZooKeeperServer(data.toFile(), data.toFile(), TICK_MILLIS);
            ServerCnxnFactory connections = ServerCnxnFactory.createFactory(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECTIONS_PER_CLIENT);
            connections.startup(server);
            EmbeddedZooKeeper started = new EmbeddedZooKeeper(connections, server, temporary ? data : null);
            log.warn(
                    "Started an embedded ZooKeeper server at {} with its data in {}. It is for development only"
                            + " (leader-election.zookeeper.embedded.enabled)",
                    started.connectString(),
                    data);
            return started;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(
                    "Interrupted while the embedded ZooKeeper server was starting", interrupted);
        }
    }

    /** ZooKeeper does not declare these two libraries, which only its server needs, as dependencies. */
    private static void requireLibraries() {
        List<String> missing = new ArrayList<>();
        ClassLoader classLoader = ClassUtils.getDefaultClassLoader();
        if (!ClassUtils.isPresent("com.codahale.metrics.Reservoir", classLoader)) {
            missing.add("io.dropwizard.metrics:metrics-core");
        }
        if (!ClassUtils.isPresent("org.xerial.snappy.SnappyInputStream", classLoader)) {
            missing.add("org.xerial.snappy:snappy-java");
        }
        if (!missing.isEmpty()) {
            throw new MisconfigurationException(
                    "The embedded ZooKeeper server (leader-election.zookeeper.embedded.enabled) requires libraries that are"
                            + " missing: %s.".formatted(String.join(", ", missing)),
                    "Add them to the dependencies, or connect to another server"
                            + " (leader-election.zookeeper.connect-string).");
        }
    }

    /** The address for clients. */
    public String connectString() {
        return "%s:%d".formatted(InetAddress.getLoopbackAddress().getHostAddress(), connections.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        connections.shutdown();
        server.shutdown();
        if (temporary != null) {
            FileSystemUtils.deleteRecursively(temporary);
        }
    }
}
