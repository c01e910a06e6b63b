package io.github.leaderelection.autoconfigure.testcontainers;

import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/** Creates connection details from a {@code @ServiceConnection} container with ZooKeeper's image or connection name. */
final class ZooKeeperContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<Container<?>, ZooKeeperConnectionDetails> {

    private static final int CLIENT_PORT = 2181;

    ZooKeeperContainerConnectionDetailsFactory() {
        super("zookeeper");
    }

    @Override
    protected ZooKeeperConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
        return new Details(source);
    }

    private static final class Details extends ContainerConnectionDetails<Container<?>>
            implements ZooKeeperConnectionDetails {

        Details(ContainerConnectionSource<Container<?>> source) {
            super(source);
        }

        @Override
        public @Nullable SslBundle getSslBundle() {
            return super.getSslBundle();
        }

        @Override
        public String getConnectString() {
            return getContainer().getHost() + ":" + getContainer().getMappedPort(CLIENT_PORT);
        }
    }
}
