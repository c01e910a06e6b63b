package io.github.leaderelection.autoconfigure.endpoint;

import io.github.leaderelection.Elections;
import io.github.leaderelection.actuate.ElectionEndpoint;
import io.github.leaderelection.actuate.ElectionEndpointJmxExtension;
import io.github.leaderelection.actuate.ElectionEndpointWebExtension;
import io.github.leaderelection.autoconfigure.CandidateIdResolver;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import io.github.leaderelection.lifecycle.ElectionProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Auto-configuration for the actuator endpoint {@code election}. */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean({Elections.class, ElectionProvider.class})
@ConditionalOnAvailableEndpoint(ElectionEndpoint.class)
public final class ElectionEndpointAutoConfiguration {

    ElectionEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    ElectionEndpoint electionEndpoint(
            Elections elections,
            ElectionProvider provider,
            LeaderElectionProperties properties,
            Environment environment) {
        return new ElectionEndpoint(
                elections,
                provider::connection,
                CandidateIdResolver.resolve(properties, environment),
                properties.candidate().metadata());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint(exposure = EndpointExposure.JMX)
    ElectionEndpointJmxExtension electionEndpointJmxExtension(ElectionEndpoint endpoint) {
        return new ElectionEndpointJmxExtension(endpoint);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
    ElectionEndpointWebExtension electionEndpointWebExtension(ElectionEndpoint endpoint) {
        return new ElectionEndpointWebExtension(endpoint);
    }
}
