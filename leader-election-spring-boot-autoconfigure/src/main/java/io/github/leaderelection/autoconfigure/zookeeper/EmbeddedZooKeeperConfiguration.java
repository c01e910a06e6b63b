package io.github.leaderelection.autoconfigure.zookeeper;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Auth;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Embedded;
import io.github.leaderelection.autoconfigure.ValidatedProperties;
import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import io.github.leaderelection.autoconfigure.condition.ConditionalOnEnabledProperty;
import io.github.leaderelection.autoconfigure.condition.EnabledProperty;
import io.github.leaderelection.autoconfigure.embedded.EmbeddedZooKeeper;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Configuration of a ZooKeeper server inside the application, which takes precedence over the connect string. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnEnabledProperty(EnabledProperty.EMBEDDED_ZOOKEEPER)
@ConditionalOnMissingBean(ZooKeeperConnectionDetails.class)
class EmbeddedZooKeeperConfiguration {

    @Bean
    @ConditionalOnMissingBean
    EmbeddedZooKeeper embeddedZooKeeper(ValidatedProperties properties, Environment environment) {
        EnabledProperty.EMBEDDED_ZOOKEEPER.requireBuildTimeValue(true, environment);
        Embedded embedded = properties.embedded();
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
