package io.github.leaderelection.autoconfigure.zookeeper;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Auth;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Embedded;
import io.github.leaderelection.autoconfigure.ValidSettings;
import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import io.github.leaderelection.autoconfigure.condition.ConditionalOnSwitch;
import io.github.leaderelection.autoconfigure.condition.Switch;
import io.github.leaderelection.autoconfigure.embedded.EmbeddedZooKeeper;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** A ZooKeeper server inside the application, to which it connects instead of any other. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSwitch(Switch.EMBEDDED_SERVER)
@ConditionalOnMissingBean(ZooKeeperConnectionDetails.class)
class EmbeddedZooKeeperConfiguration {

    @Bean
    @ConditionalOnMissingBean
    EmbeddedZooKeeper embeddedZooKeeper(ValidSettings settings, Environment environment) {
        Switch.EMBEDDED_SERVER.requireBuilt(true, environment);
        Embedded embedded = settings.embedded();
        return EmbeddedZooKeeper.start(embedded.port(), embedded.dataDirectory());
    }

    @Bean
    ZooKeeperConnectionDetails embeddedZooKeeperConnectionDetails(
            EmbeddedZooKeeper server, LeaderElectionProperties properties) {
        return new EmbeddedConnectionDetails(server, properties.zookeeper().auth());
    }

    private record EmbeddedConnectionDetails(EmbeddedZooKeeper server, Auth auth)
            implements ZooKeeperConnectionDetails {

        @Override
        public String getConnectString() {
            return server.connectString();
        }

        @Override
        public @Nullable String getAuthScheme() {
            return auth.scheme();
        }

        @Override
        public @Nullable String getAuthCredentials() {
            return auth.credentials();
        }
    }
}
