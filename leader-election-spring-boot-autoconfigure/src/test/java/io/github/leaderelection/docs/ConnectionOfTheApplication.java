package io.github.leaderelection.docs;

import io.github.leaderelection.zookeeper.ZooKeeperSessions;
import org.apache.zookeeper.ZooKeeper;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ConnectionOfTheApplication {

    static String servers;

    @Bean
    ZooKeeperSessions zooKeeperSessions() {
        return watcher -> new ZooKeeper(servers, 10_000, watcher);
    }
}
