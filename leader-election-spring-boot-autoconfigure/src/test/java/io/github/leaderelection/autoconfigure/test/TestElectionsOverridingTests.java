package io.github.leaderelection.autoconfigure.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Elections;
import io.github.leaderelection.Role;
import io.github.leaderelection.test.TestElection;
import io.github.leaderelection.test.TestElections;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** Only one of two configured elections is named, and definitions of beans may be overridden. */
@SpringBootTest(
        classes = TestElectionsTests.Application.class,
        webEnvironment = WebEnvironment.NONE,
        properties = {
            "spring.main.allow-bean-definition-overriding=true",
            "leader-election.elections.billing=",
            "leader-election.elections.orders=",
            "leader-election.zookeeper.connect-string=localhost:1"
        })
@TestElections("orders")
class TestElectionsOverridingTests {

    @Autowired
    @Qualifier("orders")
    private TestElection orders;

    @Autowired
    private Elections elections;

    @Test
    void electionsAreReplacedNeverthelessWhetherTheyAreNamedOrNot() {
        assertThat(elections.get("orders")).isSameAs(orders);
        assertThat(elections.get("billing")).isInstanceOf(TestElection.class);
        assertThat(elections.get("billing").role()).isNotEqualTo(Role.LEADER);
    }
}
