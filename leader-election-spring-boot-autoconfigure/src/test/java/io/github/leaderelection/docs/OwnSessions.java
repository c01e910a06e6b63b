package io.github.leaderelection.docs;

import io.github.leaderelection.zookeeper.ZooKeeperSessions;
import org.apache.zookeeper.ZooKeeper;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class OwnSessions {

    @Bean
    ZooKeeperSessions zooKeeperSessions(@Value("${shop.zookeeper}") String servers) {
        return watcher -> new ZooKeeper(servers, 10_000, watcher);
    }
}
