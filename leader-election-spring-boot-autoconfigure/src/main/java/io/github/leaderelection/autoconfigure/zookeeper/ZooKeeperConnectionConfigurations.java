package io.github.leaderelection.autoconfigure.zookeeper;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import io.github.leaderelection.autoconfigure.ValidatedProperties;
import io.github.leaderelection.autoconfigure.ZooKeeperClientCustomizer;
import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import io.github.leaderelection.autoconfigure.condition.EnabledProperty;
import io.github.leaderelection.zookeeper.ElectionOptions;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import io.github.leaderelection.zookeeper.ZooKeeperSessions;
import org.apache.zookeeper.ZooKeeper;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Configurations of the connection. Import them in this order, because each depends on beans of the previous ones. */
final class ZooKeeperConnectionConfigurations {

    private ZooKeeperConnectionConfigurations() {}

    /** Opens sessions from the connection details, if the application does not define a connection. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean({ZooKeeperElections.class, ZooKeeperSessions.class, ZooKeeper.class})
    static class ConnectionDetailsConfiguration {

        @Bean
        @Lazy
        @ConditionalOnMissingBean
        ZooKeeperConnectionDetails zooKeeperConnectionDetails(
                LeaderElectionProperties properties, ObjectProvider<SslBundles> bundles, Environment environment) {
            EnabledProperty.EMBEDDED_ZOOKEEPER.requireBuildTimeValue(false, environment);
            return new PropertiesZooKeeperConnectionDetails(properties.zookeeper(), bundles.getIfAvailable());
        }

        @Bean
        @Lazy
        ConnectionDetailsZooKeeperSessions zooKeeperSessions(
                ZooKeeperConnectionDetails details,
                ValidatedProperties properties,
                ObjectProvider<ZooKeeperClientCustomizer> customizers) {
            return new ConnectionDetailsZooKeeperSessions(
                    details,
                    properties.sessionTimeout(),
                    customizers.orderedStream().toList());
        }
    }

    /** Uses sessions of the application, or those from the connection details. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(ZooKeeperSessions.class)
    @ConditionalOnMissingBean(ZooKeeperElections.class)
    static class SessionsConfiguration {

        @Bean
        @Lazy
        ZooKeeperElections zooKeeperElections(ZooKeeperSessions sessions, ElectionOptions options) {
            return ZooKeeperElections.over(sessions, options);
        }
    }

    /** Uses a client of the application, which is never closed. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(ZooKeeper.class)
    @ConditionalOnMissingBean({ZooKeeperElections.class, ZooKeeperSessions.class})
    static class ClientConfiguration {

        @Bean
        @Lazy
        ZooKeeperElections zooKeeperElections(ZooKeeper zooKeeper, ElectionOptions options) {
            return ZooKeeperElections.over(zooKeeper, options);
        }
    }
}
