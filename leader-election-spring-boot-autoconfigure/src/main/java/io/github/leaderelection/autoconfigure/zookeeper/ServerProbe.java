package io.github.leaderelection.autoconfigure.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.client.ConnectStringParser;

/** Finds out why ZooKeeper cannot be used after its client failed: the client reports the same error for all causes. */
final class ServerProbe {

    private static final int CONNECT_TIMEOUT_MILLIS = 500;
    /** A name service that does not answer blocks a lookup for ten seconds or longer. */
    private static final Duration TIMEOUT = Duration.ofMillis(1_500);

    private final UnaryOperator<InetSocketAddress> resolver;

    ServerProbe() {
        this(server -> new InetSocketAddress(server.getHostString(), server.getPort()));
    }

    ServerProbe(UnaryOperator<InetSocketAddress> resolver) {
        this.resolver = resolver;
    }

    /** Returns a sentence about the first server of a connect string. */
    String describe(String connectString) {
        InetSocketAddress server =
                new ConnectStringParser(connectString).getServerAddresses().get(0);
        return CompletableFuture.supplyAsync(() -> probe(server), ServerProbe::inBackground)
                .completeOnTimeout(
                        "The host %s could not be resolved in time: does the name service (DNS) respond?"
                                .formatted(server.getHostString()),
                        TIMEOUT.toMillis(),
                        TimeUnit.MILLISECONDS)
                .join();
    }

    /** A lookup cannot be interrupted, so nothing waits for the thread. */
    private static void inBackground(Runnable task) {
        Thread thread = new Thread(task, "zookeeper-probe");
        thread.setDaemon(true);
        thread.start();
    }

    private String probe(InetSocketAddress server) {
        InetSocketAddress address = resolver.apply(server);
        String name = "%s:%d".formatted(server.getHostString(), server.getPort());
        if (address.isUnresolved()) {
            return "The host %s is unknown.".formatted(server.getHostString());
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, CONNECT_TIMEOUT_MILLIS);
            return ("%s accepts connections, but does not respond like a ZooKeeper server that can serve clients: is it"
                            + " ZooKeeper's client port, do both sides use TLS or neither, is its certificate trusted, and does"
                            + " the ensemble have a quorum?")
                    .formatted(name);
        } catch (IOException refused) {
            return "%s does not accept connections.".formatted(name);
        }
    }
}
