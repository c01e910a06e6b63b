package io.github.leaderelection.docs;

import io.github.leaderelection.autoconfigure.ZooKeeperClientCustomizer;
import org.apache.zookeeper.client.ZKClientConfig;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class LoginContext {

    @Bean
    ZooKeeperClientCustomizer loginContext() {
        return config -> config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, "Shop");
    }
}
