package io.github.leaderelection.autoconfigure.dockercompose;

import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/** Creates connection details from a service with ZooKeeper's image. */
final class ZooKeeperComposeConnectionDetailsFactory
        extends DockerComposeConnectionDetailsFactory<ZooKeeperConnectionDetails> {

    private static final int CLIENT_PORT = 2181;

    ZooKeeperComposeConnectionDetailsFactory() {
        super("zookeeper");
    }

    @Override
    protected ZooKeeperConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new Details(source);
    }

    private static final class Details extends DockerComposeConnectionDetails implements ZooKeeperConnectionDetails {

        private final String connectString;

        Details(DockerComposeConnectionSource source) {
            super(source.getRunningService());
            connectString = source.getRunningService().host() + ":"
                    + source.getRunningService().ports().get(CLIENT_PORT);
        }

        @Override
        public String getConnectString() {
            return connectString;
        }
    }
}
