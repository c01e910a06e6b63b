package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.test.TestElection;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class BillingLeaderTests {

    static class Invoices {

        private int sent;

        @BillingLeader
        public int send() {
            return ++sent;
        }
    }

    @Test
    void theAnnotationGuardsAsLeaderOnlyDoes() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class))
                .withBean("billingElection", TestElection.class, () -> new TestElection("billing"))
                .withBean(Invoices.class)
                .run(context -> {
                    Invoices invoices = context.getBean(Invoices.class);
                    assertThatThrownBy(invoices::send).isInstanceOf(NotLeaderException.class);
                    context.getBean(TestElection.class).grant();
                    assertThat(invoices.send()).isEqualTo(1);
                });
    }
}
