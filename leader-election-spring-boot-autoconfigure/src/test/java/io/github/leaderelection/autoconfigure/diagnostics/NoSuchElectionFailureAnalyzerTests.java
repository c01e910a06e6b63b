package io.github.leaderelection.autoconfigure.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.local.LocalElections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Contexts with the properties of leader election but without its auto-configuration, as in a test of a slice. */
class NoSuchElectionFailureAnalyzerTests {

    private static final String NOT_PART = "auto-configuration of leader election is not part of this context";

    private final ApplicationContextRunner slice = new ApplicationContextRunner()
            .withPropertyValues("leader-election.elections.orders=")
            .withInitializer(context -> environment = context.getEnvironment());

    private Environment environment;
    private FailureAnalysis failure;

    private void start(ApplicationContextRunner application, Class<?> configuration) {
        application
                .withUserConfiguration(configuration)
                .run(context ->
                        failure = new NoSuchElectionFailureAnalyzer(environment).analyze(context.getStartupFailure()));
    }

    @Test
    void onlyElectionIsConfiguredButNotAutoConfigured() {
        start(slice, NeedsAny.class);
        assertThat(failure.getDescription()).contains("NeedsAny", NOT_PART, "@WebMvcTest");
        assertThat(failure.getAction()).contains("TestElection named ordersElection", "@ImportAutoConfiguration");
    }

    @Test
    void qualifiedElectionIsConfiguredButNotAutoConfigured() {
        start(slice.withPropertyValues("leader-election.elections.billing="), NeedsBilling.class);
        assertThat(failure.getDescription()).contains("'billing'", NOT_PART);
        assertThat(failure.getAction()).contains("TestElection named billingElection");
    }

    @Test
    void qualifiedElectionIsNotConfigured() {
        start(slice, NeedsBilling.class);
        assertThat(failure.getDescription()).contains("'billing'", "[orders]").doesNotContain(NOT_PART);
        assertThat(failure.getAction()).contains("leader-election.elections.billing");
    }

    @Test
    void electionIsAmbiguous() {
        start(slice.withUserConfiguration(TwoElections.class), NeedsAny.class);
        assertThat(failure.getDescription()).doesNotContain(NOT_PART);
        assertThat(failure.getAction()).contains("@Qualifier");
    }

    @Test
    void electionsBeanIsNotAutoConfigured() {
        start(slice, NeedsAll.class);
        assertThat(failure.getDescription()).contains("The Elections bean", "NeedsAll", NOT_PART);
        assertThat(failure.getAction()).contains("@ImportAutoConfiguration");
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsAny {
        NeedsAny(Election election) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsBilling {
        NeedsBilling(@Qualifier("billing") Election election) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsAll {
        NeedsAll(Elections elections) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoElections {

        private final LocalElections elections = LocalElections.create("own", Map.of());

        @Bean
        Election one() {
            return elections.election("one", "/one");
        }

        @Bean
        Election other() {
            return elections.election("other", "/other");
        }
    }
}
