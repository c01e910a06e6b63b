package io.github.leaderelection.term;

import io.github.leaderelection.autoconfigure.FailureReport;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.test.TestElection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
        List<String> description = new ArrayList<>(List.of(reasons));
        description.add(element);
        FailureReport.assertMisconfigured(application, description.toArray(String[]::new));
    }

    @Configuration(proxyBeanMethods = false)
    static class Orders {

        @Bean
        TestElection ordersElection() {
            return new TestElection("orders", PATIENCE);
        }
    }
}
