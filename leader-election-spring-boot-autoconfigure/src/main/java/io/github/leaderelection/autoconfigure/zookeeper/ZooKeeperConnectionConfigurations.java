package io.github.leaderelection.autoconfigure.zookeeper;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import io.github.leaderelection.autoconfigure.ValidatedProperties;
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

/** The ways to a connection; to be imported in this order, since each looks at what was there before. */
final class ZooKeeperConnectionConfigurations {

    private ZooKeeperConnectionConfigurations() {}

    /** The application has no connection: one is made from the connection details. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean({ZooKeeperElections.class, ZooKeeperSessions.class, ZooKeeper.class})
    static class FromDetails {

        @Bean
        @Lazy
        @ConditionalOnMissingBean
        ZooKeeperConnectionDetails zooKeeperConnectionDetails(
                LeaderElectionProperties properties, ObjectProvider<SslBundles> bundles, Environment environment) {
            EnabledProperty.EMBEDDED_SERVER.requireBuilt(false, environment);
            return new PropertiesZooKeeperConnectionDetails(properties.zookeeper(), bundles.getIfAvailable());
        }

        @Bean
        @Lazy
        ConnectionDetailsZooKeeperSessions zooKeeperSessions(
                ZooKeeperConnectionDetails details, ValidatedProperties settings) {
            return new ConnectionDetailsZooKeeperSessions(details, settings.sessionTimeout());
        }
    }

    /** Sessions of the application's, or from the connection details. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(ZooKeeperSessions.class)
    @ConditionalOnMissingBean(ZooKeeperElections.class)
    static class OverSessions {

        @Bean
        @Lazy
        ZooKeeperElections zooKeeperElections(ZooKeeperSessions sessions, ElectionOptions options) {
            return ZooKeeperElections.over(sessions, options);
        }
    }

    /** The application's own connection, which is used and never closed. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(ZooKeeper.class)
    @ConditionalOnMissingBean({ZooKeeperElections.class, ZooKeeperSessions.class})
    static class OverClient {

        @Bean
        @Lazy
        ZooKeeperElections zooKeeperElections(ZooKeeper zooKeeper, ElectionOptions options) {
            return ZooKeeperElections.over(zooKeeper, options);
        }
    }
}
