package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Elections;
import io.github.leaderelection.term.ListenerContainers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

class OptionalDependenciesTests {

    @Test
    void applicationStartsWithoutOptionalLibraries() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "org.springframework.boot.micrometer",
                        "io.micrometer",
                        "com.fasterxml.jackson.annotation",
                        "org.springframework.web",
                        "org.springframework.test",
                        "org.springframework.kafka",
                        "org.springframework.amqp",
                        "org.springframework.jms"))
                .withUserConfiguration(Application.class)
                .withPropertyValues("leader-election.mode=local", "leader-election.elections.orders=")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Elections.class)
                        .doesNotHaveBean("electionEndpoint")
                        .doesNotHaveBean("electionHealthIndicator")
                        .doesNotHaveBean("electionInfoContributor")
                        .doesNotHaveBean("electionMeters")
                        .doesNotHaveBean(ListenerContainers.class));
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ByName.class)
    static class Application {}

    /** Imports the auto-configurations by name, as Boot does, because types in their annotations may be missing. */
    static class ByName implements ImportSelector {

        @Override
        public String[] selectImports(AnnotationMetadata metadata) {
            return ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()).getCandidates().stream()
                    .filter(name -> name.startsWith("io.github.leaderelection."))
                    .toArray(String[]::new);
        }
    }
}
