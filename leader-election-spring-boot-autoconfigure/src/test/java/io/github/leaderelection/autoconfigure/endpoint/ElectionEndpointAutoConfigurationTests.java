package io.github.leaderelection.autoconfigure.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.actuate.ElectionEndpoint;
import io.github.leaderelection.actuate.ElectionEndpointWebExtension;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

class ElectionEndpointAutoConfigurationTests {

    private static final AutoConfigurations CONFIGURATIONS =
            AutoConfigurations.of(LeaderElectionAutoConfiguration.class, ElectionEndpointAutoConfiguration.class);

    private static final String[] LOCAL = {"leader-election.mode=local", "leader-election.elections.orders="};

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(CONFIGURATIONS).withPropertyValues(LOCAL);

    private final WebApplicationContextRunner webRunner =
            new WebApplicationContextRunner().withConfiguration(CONFIGURATIONS).withPropertyValues(LOCAL);

    @Test
    void definesEndpointAndWebExtensionWhenExposedOverHttp() {
        webRunner
                .withPropertyValues("management.endpoints.web.exposure.include=election")
                .run(context -> assertThat(context)
                        .hasSingleBean(ElectionEndpoint.class)
                        .hasSingleBean(ElectionEndpointWebExtension.class));
    }

    @Test
    void definesOnlyEndpointWhenExposedOverJmx() {
        runner.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=election")
                .run(context -> assertThat(context)
                        .hasSingleBean(ElectionEndpoint.class)
                        .doesNotHaveBean(ElectionEndpointWebExtension.class));
    }

    @Test
    void backsOffWhenNotExposed() {
        runner.run(context -> assertThat(context).doesNotHaveBean(ElectionEndpoint.class));
    }

    @Test
    void backsOffWithoutAccess() {
        webRunner
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=*", "management.endpoint.election.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(ElectionEndpoint.class));
    }

    @Test
    void backsOffWhenElectionsAreDisabled() {
        webRunner
                .withPropertyValues("leader-election.enabled=false", "management.endpoints.web.exposure.include=*")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ElectionEndpoint.class));
    }
}
