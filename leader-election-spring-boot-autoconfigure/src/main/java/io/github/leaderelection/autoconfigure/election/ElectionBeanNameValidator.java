package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.Election;
import io.github.leaderelection.support.MisconfigurationException;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Rejects beans of other types that have the name of a configured election's bean. They would replace it, and the
 * application would not have the election.
 */
final class ElectionBeanNameValidator implements BeanFactoryPostProcessor {

    private final Environment environment;

    ElectionBeanNameValidator(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        for (String election : ElectionNames.configured(environment)) {
            String beanName = ElectionNames.beanName(election);
            Class<?> type = beanFactory.containsLocalBean(beanName) ? beanFactory.getType(beanName, false) : null;
            if (type != null && !mayBeElection(type)) {
                throw new MisconfigurationException(
                        "Bean '%s' is of type %s, but its name is reserved for the bean of the configured election '%s'."
                                .formatted(beanName, type.getName(), election),
                        "Use another name for the bean, or for the election (leader-election.elections.%s). To replace the election, the bean has to be an Election."
                                .formatted(election));
            }
        }
    }

    /** The declared type of a bean method may be less specific than the bean. */
    private static boolean mayBeElection(Class<?> type) {
        return Election.class.isAssignableFrom(type) || type.isAssignableFrom(Election.class);
    }
}
