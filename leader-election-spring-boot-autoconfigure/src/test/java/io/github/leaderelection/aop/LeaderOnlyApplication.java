package io.github.leaderelection.aop;

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

/** Applications with leader-only methods, and with the elections "orders" and "billing" that a test controls. */
final class LeaderOnlyApplication {

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(30);

    private LeaderOnlyApplication() {}

    static ApplicationContextRunner application(Class<?>... beans) {
        return withElections(beans).withUserConfiguration(Orders.class, Billing.class);
    }

    static ApplicationContextRunner withOneElection(Class<?>... beans) {
        return withElections(beans).withUserConfiguration(Orders.class);
    }

    static ApplicationContextRunner withElections(Class<?>... beans) {
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

    static TestElection billing(BeanFactory beans) {
        return beans.getBean("billingElection", TestElection.class);
    }

    /** Asserts that the application does not start, because the method of the bean cannot be leader-only. */
    static void assertRejected(Class<?> bean, String method, String... reasons) {
        assertRejected(application(bean), bean.getSimpleName() + "." + method + "()", reasons);
    }

    static void assertRejected(ApplicationContextRunner application, String method, String... reasons) {
        List<String> description = new ArrayList<>(List.of(reasons));
        description.add(method);
        FailureReport.assertMisconfigured(application, description.toArray(String[]::new));
    }

    @Configuration(proxyBeanMethods = false)
    static class Orders {

        @Bean
        TestElection ordersElection() {
            return new TestElection("orders", DRAIN_TIMEOUT);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Billing {

        @Bean
        TestElection billingElection() {
            return new TestElection("billing", DRAIN_TIMEOUT);
        }
    }
}
