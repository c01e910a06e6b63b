package io.github.leaderelection.autoconfigure.diagnostics;

import io.github.leaderelection.aop.LeaderOnlyMethods;
import io.github.leaderelection.aop.LeaderOnlyPostProcessor;
import io.github.leaderelection.autoconfigure.condition.EnabledProperty;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Logs a warning if an application has leader-only methods, but the auto-configuration that guards them is missing: it
 * is excluded, or this is a test slice. Not an auto-configuration itself, because that would be missing too.
 */
final class UnguardedMethodsReporter implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final Logger log = LoggerFactory.getLogger(UnguardedMethodsReporter.class);

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        context.addApplicationListener((ApplicationListener<ContextRefreshedEvent>) refreshed -> {
            if (refreshed.getApplicationContext() == context) {
                report(context);
            }
        });
    }

    private static void report(ConfigurableApplicationContext context) {
        ConfigurableListableBeanFactory beanFactory = context.getBeanFactory();
        if (beanFactory.getBeanNamesForType(LeaderOnlyPostProcessor.class, false, false).length > 0
                || !EnabledProperty.LEADER_ELECTION.isEnabled(context.getEnvironment())) {
            return;
        }
        List<String> methods = Arrays.stream(beanFactory.getBeanDefinitionNames())
                .map(name -> beanFactory.getType(name, false))
                .filter(Objects::nonNull)
                .flatMap(type -> LeaderOnlyMethods.describe(type).stream())
                .distinct()
                .toList();
        if (!methods.isEmpty()) {
            log.warn(
                    "The @LeaderOnly methods {} are not guarded, because the auto-configuration of leader election is not"
                            + " part of this context: it is excluded, or this is a test of a slice. In a test, use"
                            + " @TestElections",
                    methods);
        }
    }
}
