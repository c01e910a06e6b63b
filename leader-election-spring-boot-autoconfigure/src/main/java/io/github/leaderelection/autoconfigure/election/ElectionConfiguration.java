package io.github.leaderelection.autoconfigure.election;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Configuration of the application's elections. */
@Configuration(proxyBeanMethods = false)
@Import({ApplicationElectionsConfiguration.class, ElectionBeanRegistrarConfiguration.class})
public final class ElectionConfiguration {

    ElectionConfiguration() {}

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ConfigurationPropertiesBindHandlerAdvisor electionNameBindHandlerAdvisor() {
        return ElectionNameBindHandler::new;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ElectionQualifierPostProcessor electionQualifierPostProcessor(Environment environment) {
        return new ElectionQualifierPostProcessor(environment);
    }
}
