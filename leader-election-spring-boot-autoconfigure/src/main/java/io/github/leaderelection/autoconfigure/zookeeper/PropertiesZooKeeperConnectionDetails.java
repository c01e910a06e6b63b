package io.github.leaderelection.autoconfigure.zookeeper;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Zookeeper;
import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import io.github.leaderelection.support.MisconfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/** Connection details from the properties. */
record PropertiesZooKeeperConnectionDetails(
        Zookeeper properties, @Nullable SslBundles bundles) implements ZooKeeperConnectionDetails {

    @Override
    public String getConnectString() {
        String servers = properties.connectString();
        if (!StringUtils.hasText(servers)) {
            throw new MisconfigurationException("No connection to ZooKeeper is configured, but elections are.", """
                    Do one of the following:
                     - Set leader-election.zookeeper.connect-string to the servers' addresses, such as zk1:2181,zk2:2181.
                     - Define a bean of type ZooKeeperSessions or org.apache.zookeeper.ZooKeeper.
                     - For development, set leader-election.zookeeper.embedded.enabled to true.
                     - For development and tests, set leader-election.mode to local.""");
        }
        return servers;
    }

    @Override
    public @Nullable String getAuthScheme() {
        return properties.auth().scheme();
    }

    @Override
    public @Nullable String getAuthCredentials() {
        return properties.auth().credentials();
    }

    @Override
    public @Nullable SslBundle getSslBundle() {
        String bundle = textOrNull(properties.ssl().bundle());
        if (bundle == null) {
            return null;
        }
        if (bundles == null) {
            throw missing(bundle, "no SSL bundles are configured", null);
        }
        try {
            return bundles.getBundle(bundle);
        } catch (NoSuchSslBundleException unknown) {
            throw missing(bundle, "there is no bundle with that name", unknown);
        }
    }

    private static MisconfigurationException missing(String bundle, String why, @Nullable Throwable cause) {
        return new MisconfigurationException(
                "leader-election.zookeeper.ssl.bundle is '%s', but %s.".formatted(bundle, why),
                "Configure the bundle as spring.ssl.bundle.jks.%s or spring.ssl.bundle.pem.%s."
                        .formatted(bundle, bundle),
                cause);
    }

    private static @Nullable String textOrNull(@Nullable String value) {
        return StringUtils.hasText(value) ? value : null;
    }

    @Override
    public String toString() {
        return "ZooKeeper at " + properties.connectString();
    }
}
