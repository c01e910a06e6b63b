package io.github.leaderelection.autoconfigure.election;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.env.Environment;

/**
 * Qualifies the beans of elections with the names of the elections: {@code @Qualifier("orders") Election}. The name of the
 * bean works too: {@code @Qualifier("ordersElection") Election}.
 */
final class ElectionQualifierPostProcessor implements BeanFactoryPostProcessor {

    private final Environment environment;

    ElectionQualifierPostProcessor(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        if (Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
            // Generated code could not repeat this, so it is done when the application starts.
            return;
        }
        for (String name : ElectionNames.configured(environment)) {
            String beanName = ElectionNames.beanName(name);
            if (beanFactory.containsBeanDefinition(beanName)
                    && beanFactory.getBeanDefinition(beanName) instanceof AbstractBeanDefinition definition) {
                ElectionQualifiers.add(definition, name);
            }
        }
    }
}
