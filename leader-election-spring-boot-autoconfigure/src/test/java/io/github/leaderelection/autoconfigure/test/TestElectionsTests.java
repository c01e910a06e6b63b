package io.github.leaderelection.autoconfigure.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.test.TestElection;
import io.github.leaderelection.test.TestElections;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The application is configured for a ZooKeeper that does not exist. */
@SpringBootTest(
        classes = TestElectionsTests.Application.class,
        webEnvironment = WebEnvironment.NONE,
        properties = {
            "leader-election.elections.billing=",
            "leader-election.elections.orders.observe=true",
            "leader-election.zookeeper.connect-string=localhost:1"
        })
@TestElections({"orders", "refunds"})
class TestElectionsTests {

    @Autowired
    @Qualifier("orders")
    private TestElection orders;

    @Autowired
    @Qualifier("refundsElection")
    private TestElection refunds;

    @Autowired
    private Elections elections;

    @Autowired
    private Job job;

    @Test
    void replacesAllElections() {
        assertThat(elections.all())
                .hasOnlyElementsOfType(TestElection.class)
                .extracting(Election::name)
                .containsExactlyInAnyOrder("billing", "orders", "refunds");
        assertThat(elections.get("refunds")).isSameAs(refunds);
    }

    @Test
    void testDecidesWhoLeads() {
        assertThat(job.run()).isNull();
        orders.grant();
        assertThat(job.run()).isEqualTo("done");
        orders.revoke(RevocationReason.CONNECTION_LOST);
        assertThat(job.run()).isNull();
    }

    @Test
    void electionMayBeOpenedAtRunTime() {
        try (Election shard = elections.open("shard-7")) {
            assertThat(shard.name()).isEqualTo("shard-7");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
    static class Application {

        @Bean
        Job job() {
            return new Job();
        }
    }

    static class Job {

        @LeaderOnly("orders")
        public String run() {
            return "done";
        }
    }
}
