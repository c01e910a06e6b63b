package io.github.leaderelection.docs;

import io.github.leaderelection.WhileLeader;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

@Configuration(proxyBeanMethods = false)
class OrderListenerConfiguration {

    @Bean
    @WhileLeader("orders")
    DefaultMessageListenerContainer orderListener(ConnectionFactory connections, MessageListener listener) {
        var container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(connections);
        container.setDestinationName("orders");
        container.setMessageListener(listener);
        container.setSessionTransacted(true);
        return container;
    }
}
