package io.github.leaderelection.zookeeper;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A real ZooKeeper server in this JVM, on a free port, that can be stopped and started again on the same port. */
public final class TestServer implements AutoCloseable {

    static final int TICK_MILLIS = 100;

    private final Path directory;
    private Path data;
    private final int port = FreePort.pick();
    private ServerCnxnFactory factory;
    private ZooKeeperServer server;

    public TestServer() {
        try {
            directory = Files.createTempDirectory("zookeeper");
            data = Files.createDirectory(directory.resolve("data-0"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start();
    }

    public void start() {
        try {
            server = new ZooKeeperServer(data.toFile(), data.toFile(), TICK_MILLIS);
            server.setMinSessionTimeout(2 * TICK_MILLIS);
            server.setMaxSessionTimeout(600 * TICK_MILLIS);
            factory = new NIOServerCnxnFactory();
            factory.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            factory.startup(server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public void stop() {
        factory.shutdown();
        server.shutdown();
    }

    /** Starts again with nothing in it, as after the loss of a disk. */
    public void startEmpty() {
        try {
            data = Files.createTempDirectory(directory, "data-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start();
    }

    public int port() {
        return port;
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    ZooKeeperServer server() {
        return server;
    }

    /** How many watches are set, of all clients. */
    int watches() {
        return server.getZKDatabase().getDataTree().getWatchCount();
    }

    /** How many connections one address may have; those that there are stay. */
    public void connectionsPerHost(int limit) {
        factory.setMaxClientCnxnsPerHost(limit);
    }

    /** Ends a session on the server, as its timeout would: a real expiry. */
    public void expire(ZooKeeper client) {
        server.closeSession(client.getSessionId());
    }

    /** A connected client. */
    public ZooKeeper connect(Duration sessionTimeout) {
        return connect(address(), sessionTimeout);
    }

    public static ZooKeeper connect(String address, Duration sessionTimeout) {
        return connect(address, sessionTimeout, new ZKClientConfig());
    }

    static ZooKeeper connect(String address, Duration sessionTimeout, ZKClientConfig config) {
        try {
            var connected = new CountDownLatch(1);
            Watcher watcher = event -> {
                if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                    connected.countDown();
                }
            };
            ZooKeeper client = new ZooKeeper(address, (int) sessionTimeout.toMillis(), watcher, config);
            if (!connected.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("No connection to " + address);
            }
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        stop();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
