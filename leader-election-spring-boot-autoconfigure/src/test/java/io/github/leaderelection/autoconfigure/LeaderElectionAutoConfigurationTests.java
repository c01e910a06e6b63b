package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.Role;
import io.github.leaderelection.aop.LeaderOnlyPostProcessor;
import io.github.leaderelection.autoconfigure.embedded.EmbeddedZooKeeper;
import io.github.leaderelection.event.ElectionEventPublisher;
import io.github.leaderelection.lifecycle.ApplicationElections;
import io.github.leaderelection.lifecycle.ElectionLifecycle;
import io.github.leaderelection.local.LocalElections;
import io.github.leaderelection.test.TestElection;
import io.github.leaderelection.zookeeper.ElectionOptions;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import io.github.leaderelection.zookeeper.ZooKeeperSessions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;

@ExtendWith(OutputCaptureExtension.class)
class LeaderElectionAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LeaderElectionAutoConfiguration.class, LeaderElectionDisabledAutoConfiguration.class));

    private final ApplicationContextRunner local = runner.withPropertyValues("leader-election.mode=local");

    @Test
    void doesNotConnectWithoutElections() {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Elections.class).all()).isEmpty();
            assertThat(context.getBeanFactory().containsSingleton("zooKeeperElections"))
                    .isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"zookeeper", "ZooKeeper", "zoo-keeper"})
    void modeIsReadByBinder(String mode) {
        runner.withPropertyValues("leader-election.mode=" + mode)
                .run(context -> assertThat(context).hasNotFailed().hasBean("leaderElectionProvider"));
    }

    @Test
    void nameDeclaresElection() {
        local.withPropertyValues("leader-election.elections.orders=").run(context -> {
            Election election = context.getBean(Election.class);
            assertThat(election.name()).isEqualTo("orders");
            assertThat(election.path()).isEqualTo("/elections/orders");
            assertThat(election.role()).isEqualTo(Role.OBSERVER);
        });
    }

    @Test
    void nameAndPropertyFromDifferentSourcesAreMerged() {
        local.withPropertyValues("leader-election.elections.orders=")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-systemEnvironment",
                                Map.of("LEADERELECTION_ELECTIONS_ORDERS_PATH", "/shop/orders"))))
                .run(context ->
                        assertThat(context.getBean(Election.class).path()).isEqualTo("/shop/orders"));
    }

    @Test
    void electionsMayBeDeclaredByEnvironmentVariables() {
        local.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-systemEnvironment",
                                Map.of(
                                        "LEADERELECTION_ELECTIONS_BILLING", "",
                                        "LEADERELECTION_ELECTIONS_ORDERS_OBSERVE", "true"))))
                .run(context -> assertThat(context.getBean(Elections.class).all())
                        .extracting(Election::name)
                        .containsExactlyInAnyOrder("billing", "orders"));
    }

    @Test
    void environmentVariableAppliesToElectionWithDash() {
        withVariable("LEADER_ELECTION_ELECTIONS_DAILY_REPORT_PATH", "/reports")
                .withPropertyValues("leader-election.elections.daily-report=")
                .run(context ->
                        assertThat(context.getBean(Election.class).path()).isEqualTo("/reports"));
    }

    @Test
    void unknownEnvironmentVariableIsReported() {
        withVariable("LEADERELECTION_ELECTIONS_DAILY_REPORT_PATH", "/reports")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("leader-election.elections.daily.report.path")
                        .hasStackTraceContaining("LEADERELECTION_ELECTIONS_DAILY_REPORT_PATH"));
    }

    private ApplicationContextRunner withVariable(String name, String value) {
        return local.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(name, value))));
    }

    @Test
    void nameWithDotIsInBrackets() {
        local.withPropertyValues("leader-election.elections[a.b].path=/x", "leader-election.elections[c.d]=")
                .run(context -> assertThat(context.getBean(Elections.class).all())
                        .extracting(Election::name)
                        .containsExactly("a.b", "c.d"));
    }

    @Test
    void nameMayBeNumeric() {
        local.withPropertyValues("leader-election.elections[0].path=/x", "leader-election.elections[1]=")
                .run(context -> assertThat(context.getBean(Elections.class).all())
                        .extracting(Election::name)
                        .containsExactly("0", "1"));
    }

    @Test
    void groupsOfPropertiesMayBeEmpty() {
        local.withPropertyValues("leader-election.elections=", "leader-election.zookeeper=")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Election.class));
    }

    @Test
    void misspeltEnvironmentVariableIsReported() {
        FailureAnalysis report = FailureReport.of(withVariable("LEADERELECTION_DRAIN_TIMEOUT", "5s"));
        assertThat(report.getDescription()).contains("leader-election.drain.timeout", "LEADERELECTION_DRAIN_TIMEOUT");
        assertThat(report.getAction()).isEqualTo("Did you mean leader-election.drain-timeout?");
    }

    @Test
    void electionsAreQualifiedByName() {
        local.withPropertyValues("leader-election.elections.orders=", "leader-election.elections.billing.path=/b")
                .withUserConfiguration(Shop.class)
                .run(context -> {
                    Shop.Desk desk = context.getBean(Shop.Desk.class);
                    assertThat(desk.orders().name()).isEqualTo("orders");
                    assertThat(desk.billing().path()).isEqualTo("/b");
                    assertThat(context.getBean("ordersElection"))
                            .isSameAs(desk.orders())
                            .isSameAs(desk.byNameOfBean());
                    assertThat(context.getBean(Elections.class).get("billing")).isSameAs(desk.billing());
                });
    }

    @Test
    void electionBeansAreVisibleToConditions() {
        local.withPropertyValues("leader-election.elections.orders=")
                .withConfiguration(AutoConfigurations.of(OnElection.class))
                .run(context -> assertThat(context).hasBean("onElection"));
        local.withConfiguration(AutoConfigurations.of(OnElection.class))
                .run(context -> assertThat(context).doesNotHaveBean("onElection"));
    }

    @Test
    void electionsAreListedInOrderOfConfiguration() {
        local.withPropertyValues(
                        "leader-election.elections.zebra=",
                        "leader-election.elections.ape=",
                        "leader-election.elections.lion=")
                .run(context -> assertThat(context.getBean(Elections.class).all())
                        .extracting(Election::name)
                        .containsExactly("zebra", "ape", "lion"));
    }

    @Test
    void unknownElectionIsReportedWithTheKnownOnes() {
        local.withPropertyValues("leader-election.elections.orders=", "leader-election.elections.billing=")
                .run(context -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> context.getBean(Elections.class).get("nope"))
                        .withMessageContaining("'nope'")
                        .withMessageContaining("orders")
                        .withMessageContaining("billing"));
    }

    @Test
    void beanOfTheApplicationReplacesConfiguredElection() {
        local.withPropertyValues("leader-election.elections.orders=")
                .withUserConfiguration(OwnElection.class)
                .run(context -> {
                    assertThat(context).hasSingleBean(Election.class);
                    assertThat(context.getBean(Elections.class).get("orders")).isInstanceOf(TestElection.class);
                });
    }

    @Test
    void backsOffToBeansOfTheApplication() {
        local.withUserConfiguration(OwnBeans.class).run(context -> {
            assertThat(context).hasSingleBean(Elections.class).doesNotHaveBean(ApplicationElections.class);
            assertThat(context).hasSingleBean(LeaderOnlyPostProcessor.class);
            assertThat(context).hasSingleBean(LocalElections.class);
        });
        runner.withUserConfiguration(OwnOptions.class)
                .run(context ->
                        assertThat(context.getBean(ElectionOptions.class)).isSameAs(OwnOptions.OPTIONS));
    }

    @Test
    void localCandidateHasTheConfiguredPriority() {
        local.withPropertyValues(
                        "leader-election.candidate.priority=4",
                        "leader-election.elections.orders=",
                        "leader-election.elections.billing.priority=7")
                .run(context -> {
                    Elections elections = context.getBean(Elections.class);
                    elections.all().forEach(Election::nominate);
                    assertThat(priority(elections.get("orders"))).isEqualTo(4);
                    assertThat(priority(elections.get("billing"))).isEqualTo(7);
                });
    }

    private static int priority(Election election) {
        return election.status().candidate().orElseThrow().priority();
    }

    @Test
    void leaseIsComparedOnlyWithSessionTimeoutThatIsUsed() {
        local.withPropertyValues("leader-election.elections.orders=", "leader-election.lease=20s")
                .run(context -> assertThat(context).hasNotFailed());
        runner.withPropertyValues(
                        "leader-election.elections.orders=",
                        "leader-election.lease=20s",
                        "leader-election.fail-fast=false")
                .withUserConfiguration(OwnSessions.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void beanNamesDoNotCollideWithCommonNames() {
        for (ApplicationContextRunner either : List.of(runner, local)) {
            either.withUserConfiguration(CommonNames.class)
                    .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Elections.class));
        }
    }

    @Test
    void warnsIfShutdownPhaseIsTooShort(CapturedOutput output) {
        runner.run(context -> assertThat(output).doesNotContain("timeout-per-shutdown-phase"));
        local.withPropertyValues("leader-election.drain-timeout=20s")
                .run(context -> assertThat(output).doesNotContain("timeout-per-shutdown-phase"));
        runner.withPropertyValues(
                        "leader-election.drain-timeout=20s", "spring.lifecycle.timeout-per-shutdown-phase=34s")
                .run(context -> assertThat(output)
                        .contains("WARN")
                        .contains("leader-election.drain-timeout (PT20S)")
                        .contains("leader-election.zookeeper.connection-timeout (PT15S)")
                        .contains("spring.lifecycle.timeout-per-shutdown-phase (PT34S)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "on", "1", "TRUE"})
    void electionsAreEnabledByAnyTrueValue(String yes, CapturedOutput output) {
        local.withPropertyValues("leader-election.enabled=" + yes, "leader-election.elections.orders=")
                .run(context -> {
                    assertThat(context).hasSingleBean(Election.class).hasSingleBean(LeaderOnlyPostProcessor.class);
                    assertThat(output).doesNotContain("@LeaderOnly run on every instance");
                });
    }

    @Test
    void embeddedServerIsEnabledByAnyTrueValue() {
        runner.withPropertyValues("leader-election.zookeeper.embedded.enabled=yes")
                .run(context -> assertThat(context).hasSingleBean(EmbeddedZooKeeper.class));
    }

    @Test
    void worksWithoutOptionalDependencies() {
        local.withPropertyValues("leader-election.elections.orders=")
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "io.micrometer",
                        "reactor",
                        "org.testcontainers",
                        "org.springframework.boot.testcontainers",
                        "org.springframework.boot.docker"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Election.class)
                        .hasSingleBean(ElectionLifecycle.class)
                        .hasSingleBean(ElectionEventPublisher.class)
                        .doesNotHaveBean(ZooKeeperElections.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {

        record Desk(Election orders, Election billing, Election byNameOfBean) {}

        @Bean
        Desk desk(
                @Qualifier("orders") Election orders,
                @Qualifier("billing") Election billing,
                @Qualifier("ordersElection") Election byNameOfBean) {
            return new Desk(orders, billing, byNameOfBean);
        }

        /** A bean with the name of an election. */
        @Bean
        List<String> orders() {
            return List.of();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnElection {

        @Bean
        @ConditionalOnBean(Election.class)
        String onElection() {
            return "seen";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnElection {

        @Bean
        TestElection ordersElection() {
            return new TestElection("orders");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBeans {

        @Bean
        Elections elections() {
            return new Elections() {
                @Override
                public Election get(String name) {
                    throw new IllegalArgumentException(name);
                }

                @Override
                public List<Election> all() {
                    return List.of();
                }

                @Override
                public Election open(String name) {
                    throw new IllegalArgumentException(name);
                }
            };
        }

        @Bean
        LocalElections ownLocalElections() {
            return LocalElections.create("own", Map.of());
        }

        @Bean
        static LeaderOnlyPostProcessor ownPostProcessor() {
            return new LeaderOnlyPostProcessor();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnOptions {

        static final ElectionOptions OPTIONS = ElectionOptions.defaults();

        @Bean
        ElectionOptions ownOptions() {
            return OPTIONS;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnSessions {

        @Bean
        ZooKeeperSessions ownSessions() {
            return watcher -> {
                throw new IOException("away");
            };
        }
    }

    /** Beans of an application about another kind of elections. */
    @Configuration(proxyBeanMethods = false)
    static class CommonNames {

        @Bean
        String elections() {
            return "of a parliament";
        }

        @Bean
        String electionEventPublisher() {
            return "debates";
        }

        @Bean
        String electionProvider() {
            return "an agency";
        }

        @Bean
        String electionOptions() {
            return "parties";
        }

        @Bean
        String electionLifecycle() {
            return "four years";
        }
    }
}
