package io.github.leaderelection.term;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.support.MisconfigurationException;
import io.github.leaderelection.test.TestElection;
import java.time.Duration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications with an election "orders" that a test controls. */
final class TermApplication {

    static final Duration PATIENCE = Duration.ofSeconds(20);

    private TermApplication() {}

    static ApplicationContextRunner application(Class<?>... beans) {
        return runner(beans).withUserConfiguration(Orders.class);
    }

    static ApplicationContextRunner localApplication(Class<?>... beans) {
        return runner(beans).withPropertyValues("leader-election.elections.orders.participate=true");
    }

    private static ApplicationContextRunner runner(Class<?>... beans) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        PropertyPlaceholderAutoConfiguration.class,
                        AopAutoConfiguration.class,
                        LeaderElectionAutoConfiguration.class))
                .withPropertyValues("leader-election.mode=local")
                .withUserConfiguration(beans);
    }

    static TestElection orders(BeanFactory beans) {
        return beans.getBean("ordersElection", TestElection.class);
    }

    /** Asserts that the application does not start, because the element cannot run for a term. */
    static void assertRejected(ApplicationContextRunner application, String element, String... reasons) {
        application.run(context -> {
            Throwable failure = context.getStartupFailure();
            while (failure != null && !(failure instanceof MisconfigurationException)) {
                failure = failure.getCause();
            }
            assertThat(failure).isInstanceOfSatisfying(MisconfigurationException.class, misconfiguration -> {
                assertThat(misconfiguration.description()).contains(element).contains(reasons);
                assertThat(misconfiguration.action()).isNotBlank();
            });
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Orders {

        @Bean
        TestElection ordersElection() {
            return new TestElection("orders", PATIENCE);
        }
    }
}
