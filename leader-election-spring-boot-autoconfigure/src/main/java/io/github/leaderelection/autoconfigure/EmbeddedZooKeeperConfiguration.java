package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Embedded;
import io.github.leaderelection.autoconfigure.embedded.EmbeddedZooKeeper;
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
    EmbeddedZooKeeper embeddedZooKeeper(LeaderElectionProperties properties, Environment environment) {
        Switch.EMBEDDED_SERVER.requireBuilt(true, environment);
        Embedded embedded = properties.zookeeper().embedded();
        return EmbeddedZooKeeper.start(embedded.port(), embedded.dataDirectory());
    }

    @Bean
    ZooKeeperConnectionDetails embeddedZooKeeperConnectionDetails(EmbeddedZooKeeper server) {
        return server::connectString;
    }
}
