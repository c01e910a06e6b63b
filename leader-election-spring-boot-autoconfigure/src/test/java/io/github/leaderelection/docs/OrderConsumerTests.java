package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.test.TestElection;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

@SpringBootTest(
        classes = {OrderConsumer.class, OrderQueue.class},
        properties = "leader-election.elections.orders=")
@ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
@Import(OrderConsumerTests.OrdersElection.class)
class OrderConsumerTests {

    @TestConfiguration(proxyBeanMethods = false)
    static class OrdersElection {

        @Bean
        TestElection ordersElection() {
            return new TestElection("orders");
        }
    }

    @Autowired
    private TestElection orders;

    @Autowired
    private OrderConsumer consumer;

    @Test
    void consumesWhileItLeads() {
        assertThat(consumer.isRunning()).isFalse();
        orders.grant();
        assertThat(consumer.isRunning()).isTrue();
        orders.revoke(RevocationReason.CONNECTION_LOST);
        assertThat(consumer.isRunning()).isFalse();
    }
}
