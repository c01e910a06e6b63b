package io.github.leaderelection.autoconfigure;

import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Customizes the configuration of ZooKeeper's client before a session is opened from properties or
 * {@link ZooKeeperConnectionDetails}. Beans of this type are called in order, for each session.
 */
@FunctionalInterface
public interface ZooKeeperClientCustomizer {

    void customize(ZKClientConfig config);
}
