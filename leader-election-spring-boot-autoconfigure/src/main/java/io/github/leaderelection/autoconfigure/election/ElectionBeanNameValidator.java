package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.Election;
import io.github.leaderelection.support.MisconfigurationException;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Refuses beans that have the name of a configured election's bean, and are something else: in its place they would
 * leave the application without that election.
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
                        "The bean '%s' is no Election but a %s; its name is that of the bean for the configured election '%s'."
                                .formatted(beanName, type.getName(), election),
                        "Give the bean another name, or the election: leader-election.elections.%s. An Election of that name would take the configured one's place."
                                .formatted(election));
            }
        }
    }

    /** What a method declares to return may say less than what it returns. */
    private static boolean mayBeElection(Class<?> type) {
        return Election.class.isAssignableFrom(type) || type.isAssignableFrom(Election.class);
    }
}
