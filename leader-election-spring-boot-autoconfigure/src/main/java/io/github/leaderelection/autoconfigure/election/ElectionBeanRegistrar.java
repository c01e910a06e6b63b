package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.autoconfigure.condition.EnabledProperty;
import io.github.leaderelection.lifecycle.ApplicationElections;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.support.BeanDefinitionOverrideException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** Registers a bean for each configured election, unless the application defines a bean with that name. */
final class ElectionBeanRegistrar implements BeanRegistrar {

    private static final Logger log = LoggerFactory.getLogger(ElectionBeanRegistrar.class);

    @Override
    public void register(BeanRegistry registry, Environment environment) {
        EnabledProperty.LEADER_ELECTION.requireBuildTimeValue(true, environment);
        new PropertyNameValidator().validate(environment);
        new PlaceholderValidator().validate(environment);
        if (environment instanceof ConfigurableEnvironment configurable) {
            new MapKeyValidator().validate(configurable);
            new EnvironmentVariableValidator().validate(configurable);
        }
        ElectionNames.configured(environment).forEach(name -> register(registry, name));
    }

    private static void register(BeanRegistry registry, String name) {
        try {
            registry.registerBean(
                    ElectionNames.beanName(name),
                    Election.class,
                    spec -> spec.description("Election '%s'".formatted(name))
                            .supplier(context -> open(context.bean(Elections.class), name)));
        } catch (BeanDefinitionOverrideException alreadyDefined) {
            log.info("Using the application's bean '{}' for election '{}'", ElectionNames.beanName(name), name);
        }
    }

    private static Election open(Elections elections, String name) {
        return elections instanceof ApplicationElections application
                ? application.openConfigured(name)
                : elections.get(name);
    }
}
