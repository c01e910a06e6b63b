package io.github.leaderelection.docs;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.testcontainers.containers.GenericContainer;

/** Compiled only; {@code ContainerIT} runs the starter on a container. */
@TestConfiguration(proxyBeanMethods = false)
class ZooKeeperContainer {

    @Bean
    @ServiceConnection("zookeeper")
    GenericContainer<?> zooKeeper() {
        return new GenericContainer<>("zookeeper:3.9").withExposedPorts(2181);
    }
}
