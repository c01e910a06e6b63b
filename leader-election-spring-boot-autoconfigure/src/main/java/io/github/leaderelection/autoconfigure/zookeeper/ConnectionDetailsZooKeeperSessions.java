package io.github.leaderelection.autoconfigure.zookeeper;

import io.github.leaderelection.autoconfigure.ZooKeeperClientCustomizer;
import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import io.github.leaderelection.zookeeper.ZooKeeperSessions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** Opens sessions with the servers of the {@link ZooKeeperConnectionDetails}. */
final class ConnectionDetailsZooKeeperSessions implements ZooKeeperSessions, AutoCloseable {

    private final ZooKeeperConnectionDetails details;
    private final Duration sessionTimeout;
    private final List<ZooKeeperClientCustomizer> customizers;
    private @Nullable KeyStoreFiles keyStoreFiles;

    ConnectionDetailsZooKeeperSessions(
            ZooKeeperConnectionDetails details, Duration sessionTimeout, List<ZooKeeperClientCustomizer> customizers) {
        this.customizers = List.copyOf(customizers);
        this.details = details;
        this.sessionTimeout = sessionTimeout;
        // Fails early, before anything waits for a connection.
        ConnectStringValidator.validate(details);
        details.getSslBundle();
    }

    @Override
    public synchronized ZooKeeper open(Watcher watcher) throws IOException {
        ZKClientConfig config = new ZKClientConfig();
        SslBundle bundle = details.getSslBundle();
        if (bundle != null) {
            if (keyStoreFiles == null) {
                keyStoreFiles = new KeyStoreFiles();
            }
            keyStoreFiles.configure(config, bundle);
        }
        customizers.forEach(customizer -> customizer.customize(config));
        ZooKeeper client =
                new ZooKeeper(details.getConnectString(), Math.toIntExact(sessionTimeout.toMillis()), watcher, config);
        String scheme = details.getAuthScheme();
        String credentials = details.getAuthCredentials();
        if (scheme != null && credentials != null) {
            client.addAuthInfo(scheme, credentials.getBytes(StandardCharsets.UTF_8));
        }
        return client;
    }

    @Override
    public synchronized void close() throws IOException {
        if (keyStoreFiles != null) {
            keyStoreFiles.close();
        }
    }
}
