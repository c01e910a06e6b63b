package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Elections;
import io.github.leaderelection.actuate.ElectionEndpoint;
import io.github.leaderelection.actuate.ElectionEndpointRuntimeHints;
import io.github.leaderelection.actuate.ElectionEndpointWebExtension;
import io.github.leaderelection.actuate.ElectionInfoContributor;
import io.github.leaderelection.aop.CallMonitor;
import io.github.leaderelection.health.ElectionHealthIndicator;
import io.github.leaderelection.metrics.ElectionMeters;
import io.github.leaderelection.metrics.MeteredCalls;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/** Which beans for operators there are, and when there are none. */
class OperationsAutoConfigurationTests {

    private static final AutoConfigurations OURS = AutoConfigurations.of(
            LeaderElectionAutoConfiguration.class,
            ElectionEndpointAutoConfiguration.class,
            ElectionHealthAutoConfiguration.class,
            ElectionInfoAutoConfiguration.class,
            ElectionMetricsAutoConfiguration.class);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(OURS)
            .withPropertyValues("leader-election.mode=local", "leader-election.elections.orders=");

    @Test
    void theEndpointIsThereWhereItIsExposed() {
        new WebApplicationContextRunner()
                .withConfiguration(OURS)
                .withPropertyValues("leader-election.mode=local", "leader-election.elections.orders=")
                .withPropertyValues("management.endpoints.web.exposure.include=election")
                .run(context -> assertThat(context)
                        .hasSingleBean(ElectionEndpoint.class)
                        .hasSingleBean(ElectionEndpointWebExtension.class));
        runner.run(context -> assertThat(context).doesNotHaveBean(ElectionEndpoint.class));
        runner.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=election")
                .run(context -> assertThat(context)
                        .hasSingleBean(ElectionEndpoint.class)
                        .doesNotHaveBean(ElectionEndpointWebExtension.class));
    }

    @Test
    void theEndpointGoesWithoutAccess() {
        new WebApplicationContextRunner()
                .withConfiguration(OURS)
                .withPropertyValues("leader-election.mode=local", "leader-election.elections.orders=")
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=*", "management.endpoint.election.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(ElectionEndpoint.class));
    }

    @Test
    void nothingIsThereWhereElectionsAreSwitchedOff() {
        runner.withPropertyValues("leader-election.enabled=false", "management.endpoints.web.exposure.include=*")
                .withBean(SimpleMeterRegistry.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(Elections.class)
                        .doesNotHaveBean(ElectionEndpoint.class)
                        .doesNotHaveBean(ElectionHealthIndicator.class)
                        .doesNotHaveBean(ElectionInfoContributor.class)
                        .doesNotHaveBean(ElectionMeters.class)
                        .doesNotHaveBean(CallMonitor.class));
    }

    @Test
    void startsWithoutAnyOfTheOptionalLibraries() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "org.springframework.boot.micrometer",
                        "io.micrometer",
                        "com.fasterxml.jackson.annotation"))
                .withUserConfiguration(Application.class)
                .withPropertyValues("leader-election.mode=local", "leader-election.elections.orders=")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Elections.class)
                        .doesNotHaveBean("electionEndpoint")
                        .doesNotHaveBean("electionHealthIndicator")
                        .doesNotHaveBean("electionInfoContributor")
                        .doesNotHaveBean("electionMeters"));
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ByName.class)
    static class Application {}

    /** Imports ours as Boot does, by their names: what their annotations refer to may be missing. */
    static class ByName implements ImportSelector {

        @Override
        public String[] selectImports(AnnotationMetadata metadata) {
            return ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()).getCandidates().stream()
                    .filter(name -> name.startsWith("io.github.leaderelection."))
                    .toArray(String[]::new);
        }
    }

    @Test
    void healthAndInfoCanBeSwitchedOff() {
        runner.run(context -> assertThat(context)
                .hasSingleBean(ElectionHealthIndicator.class)
                .hasSingleBean(ElectionInfoContributor.class));
        runner.withPropertyValues("management.health.election.enabled=false", "management.info.election.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(ElectionHealthIndicator.class)
                        .doesNotHaveBean(ElectionInfoContributor.class));
    }

    @Test
    void theApplicationsOwnIndicatorComesFirst() {
        HealthIndicator own = () -> Health.up().build();
        runner.withBean("electionHealthIndicator", HealthIndicator.class, () -> own)
                .run(context -> assertThat(context).doesNotHaveBean(ElectionHealthIndicator.class));
    }

    @Test
    void metersNeedARegistryAndGoWithTheContext() {
        runner.run(context ->
                assertThat(context).doesNotHaveBean(ElectionMeters.class).doesNotHaveBean(CallMonitor.class));
        MeterRegistry outlives = new SimpleMeterRegistry();
        runner.withBean(MeterRegistry.class, () -> outlives, definition -> {
                    if (definition instanceof org.springframework.beans.factory.support.AbstractBeanDefinition bean) {
                        bean.setDestroyMethodName("");
                    }
                })
                .run(context -> {
                    assertThat(context).hasSingleBean(MeteredCalls.class);
                    assertThat(outlives.get("election.leader").gauge().getId().getTag("election"))
                            .isEqualTo("orders");
                });
        assertThat(outlives.getMeters()).isEmpty();
    }

    @Test
    void nativeImagesKnowWhatIsReachedByReflection() {
        RuntimeHints hints = new RuntimeHints();
        new ElectionEndpointRuntimeHints().registerHints(hints, getClass().getClassLoader());
        new ZooKeeperClientRuntimeHints().registerHints(hints, getClass().getClassLoader());
        String answers = "io.github.leaderelection.actuate.Descriptors$";
        for (String record :
                new String[] {"All", "Self", "Connection", "State", "Details", "Leader", "Participant", "Refusal"}) {
            assertThat(RuntimeHintsPredicates.reflection()
                            .onType(TypeReference.of(answers + record))
                            .withAnyMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
                    .as(record)
                    .accepts(hints);
        }
        for (String socket : new String[] {"ClientCnxnSocketNIO", "ClientCnxnSocketNetty"}) {
            assertThat(RuntimeHintsPredicates.reflection()
                            .onConstructorInvocation(constructor("org.apache.zookeeper." + socket)))
                    .accepts(hints);
        }
    }

    private static java.lang.reflect.Constructor<?> constructor(String type) {
        try {
            return Class.forName(type).getDeclaredConstructor(ZKClientConfig.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
