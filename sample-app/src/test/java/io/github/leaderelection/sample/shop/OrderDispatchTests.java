package io.github.leaderelection.sample.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.test.TestElection;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** Tests a single job with an election that the test controls. */
@SpringJUnitConfig({OrderDispatch.class, Warehouse.class, OrderDispatchTests.Elections.class})
@ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
class OrderDispatchTests {

    @Configuration(proxyBeanMethods = false)
    static class Elections {

        /** Replaces the election {@code orders}. */
        @Bean
        TestElection ordersElection() {
            return new TestElection("orders");
        }
    }

    @Autowired
    private TestElection election;

    @Autowired
    private OrderDispatch dispatch;

    @Autowired
    private Warehouse warehouse;

    @Test
    void dispatchesOrdersOnlyWhileItLeads() {
        dispatch.dispatch();
        assertThat(warehouse.shipments()).isZero();

        election.grant();
        dispatch.dispatch();
        assertThat(warehouse.shipments()).isEqualTo(1);

        election.revoke(RevocationReason.CONNECTION_LOST);
        dispatch.dispatch();
        assertThat(warehouse.shipments()).isEqualTo(1);
    }
}
