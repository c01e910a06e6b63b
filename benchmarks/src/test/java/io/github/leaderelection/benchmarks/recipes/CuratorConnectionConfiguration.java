package io.github.leaderelection.benchmarks.recipes;

import io.github.leaderelection.zookeeper.ElectionOptions;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.ZooKeeper;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Elections on the session of a Curator client. */
@Configuration(proxyBeanMethods = false)
class CuratorConnectionConfiguration {

    @Bean
    ZooKeeperElections zooKeeperElections(CuratorFramework curator, ElectionOptions options) {
        ZooKeeperElections elections = ZooKeeperElections.over(session(curator), options);
        curator.getConnectionStateListenable().addListener((client, state) -> {
            // Has no effect as long as it is the same session.
            if (state == ConnectionState.RECONNECTED) {
                elections.reconnect(session(client));
            }
        });
        return elections;
    }

    private static ZooKeeper session(CuratorFramework curator) {
        try {
            return curator.getZookeeperClient().getZooKeeper();
        } catch (Exception unavailable) {
            throw new IllegalStateException(unavailable);
        }
    }
}
