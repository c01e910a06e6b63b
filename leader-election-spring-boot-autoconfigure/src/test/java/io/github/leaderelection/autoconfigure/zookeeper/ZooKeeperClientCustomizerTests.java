package io.github.leaderelection.autoconfigure.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.autoconfigure.Instances;
import io.github.leaderelection.autoconfigure.ZooKeeperClientCustomizer;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ZooKeeperClientCustomizerTests {

    @Test
    void customizersSeeTheConfigurationInOrderBeforeTheSessionIsOpened() {
        try (TestServer server = new TestServer();
                Instances instances = new Instances(
                                "leader-election.zookeeper.connect-string=" + server.address(),
                                "leader-election.zookeeper.connection-timeout=30s",
                                "leader-election.elections.orders=")
                        .with(Customizers.class)) {
            ConfigurableApplicationContext context = instances.start();
            assertThat(context.getBean(Customizers.class).seen).containsExactly("Client", "Shop");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Customizers {

        private final List<String> seen = new CopyOnWriteArrayList<>();

        @Bean
        @Order(2)
        ZooKeeperClientCustomizer second() {
            return config -> seen.add(loginContext(config));
        }

        @Bean
        @Order(1)
        ZooKeeperClientCustomizer first() {
            return config -> {
                seen.add(loginContext(config));
                config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, "Shop");
            };
        }

        private static String loginContext(ZKClientConfig config) {
            return config.getProperty(
                    ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, ZKClientConfig.LOGIN_CONTEXT_NAME_KEY_DEFAULT);
        }
    }
}
