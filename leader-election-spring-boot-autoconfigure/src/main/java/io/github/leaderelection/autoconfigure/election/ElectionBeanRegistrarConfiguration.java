package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.Elections;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Configuration of a bean for each election, in the context that defines the {@link Elections}. In a child context they
 * would be closed with the child.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(value = Elections.class, search = SearchStrategy.CURRENT)
@Import(ElectionBeanRegistrar.class)
class ElectionBeanRegistrarConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ElectionBeanNameValidator electionBeanNameValidator(Environment environment) {
        return new ElectionBeanNameValidator(environment);
    }
}
