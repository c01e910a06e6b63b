package io.github.leaderelection.autoconfigure.testcontainers;

import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/** Connects to a container that is marked {@code @ServiceConnection} and runs ZooKeeper's image, or is so named. */
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
