package io.github.leaderelection.autoconfigure.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Role;
import io.github.leaderelection.autoconfigure.FailureReport;
import io.github.leaderelection.autoconfigure.Instances;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** Instances that withdraw while they are unhealthy, on a real ZooKeeper. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaveWhenDownTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    private TestServer server;
    private Instances instances;

    @BeforeEach
    void start() {
        server = new TestServer();
        instances = new Instances(
                        "leader-election.zookeeper.connect-string=" + server.address(),
                        "leader-election.zookeeper.connection-timeout=30s",
                        "leader-election.leave-when-down.enabled=true",
                        "leader-election.leave-when-down.for=200ms",
                        "leader-election.elections.orders=")
                .with(Application.class);
    }

    @AfterEach
    void stop() {
        instances.close();
        server.close();
    }

    private static Role role(ConfigurableApplicationContext instance) {
        return Instances.election(instance, "orders").role();
    }

    private static void setDown(ConfigurableApplicationContext instance, boolean down) {
        instance.getBean(Database.class).down = down;
    }

    private static void awaitRole(ConfigurableApplicationContext instance, Role role) {
        await().atMost(TIMEOUT).until(() -> role(instance) == role);
    }

    @Test
    void unhealthyLeaderWithdrawsAndReturnsWhenItIsHealthy() {
        ConfigurableApplicationContext first = instances.start();
        awaitRole(first, Role.LEADER);
        ConfigurableApplicationContext second = instances.start();
        awaitRole(second, Role.FOLLOWER);
        setDown(first, true);
        awaitRole(first, Role.OBSERVER);
        awaitRole(second, Role.LEADER);
        assertThat(Instances.log(first).events()).endsWith("orders revoked 1 UNHEALTHY");
        setDown(first, false);
        awaitRole(first, Role.FOLLOWER);
        assertThat(role(second)).isEqualTo(Role.LEADER);
    }

    @Test
    void healthOfAReactiveIndicatorCounts() {
        Instances reactive = instances.with(ReactiveApplication.class);
        ConfigurableApplicationContext first = reactive.start();
        awaitRole(first, Role.LEADER);
        awaitRole(reactive.start(), Role.FOLLOWER);
        first.getBean(ReactiveDatabase.class).down = true;
        awaitRole(first, Role.OBSERVER);
    }

    @Test
    void lastCandidateStays() {
        ConfigurableApplicationContext only = instances.start();
        awaitRole(only, Role.LEADER);
        setDown(only, true);
        await().pollDelay(Duration.ofSeconds(2)).atMost(TIMEOUT).until(() -> true);
        assertThat(role(only)).isEqualTo(Role.LEADER);
        assertThat(Instances.log(only).events()).containsExactly("orders granted 1");
    }

    @Test
    void oneCandidateStaysIfAllAreUnhealthy() {
        ConfigurableApplicationContext first = instances.start();
        awaitRole(first, Role.LEADER);
        ConfigurableApplicationContext second = instances.start();
        awaitRole(second, Role.FOLLOWER);
        setDown(first, true);
        setDown(second, true);
        await().atMost(TIMEOUT)
                .during(Duration.ofSeconds(2))
                .until(
                        () -> List.of(role(first), role(second)),
                        roles -> roles.contains(Role.LEADER) && roles.contains(Role.OBSERVER));
    }

    @Test
    void candidateThatAnOperatorHasWithdrawnDoesNotReturn() {
        ConfigurableApplicationContext first = instances.start();
        awaitRole(first, Role.LEADER);
        awaitRole(instances.start(), Role.FOLLOWER);
        setDown(first, true);
        awaitRole(first, Role.OBSERVER);
        Instances.election(first, "orders").withdraw();
        setDown(first, false);
        await().pollDelay(Duration.ofSeconds(1)).atMost(TIMEOUT).until(() -> true);
        assertThat(role(first)).isEqualTo(Role.OBSERVER);
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HealthContributorRegistryAutoConfiguration.class,
                        LeaderElectionAutoConfiguration.class,
                        LeaveWhenDownAutoConfiguration.class))
                .withPropertyValues(
                        "leader-election.mode=local",
                        "leader-election.elections.orders=",
                        "leader-election.leave-when-down.enabled=true");
    }

    @Test
    void unknownGroupIsReported() {
        FailureAnalysis report =
                FailureReport.of(runner().withPropertyValues("leader-election.leave-when-down.group=nope"));
        assertThat(report.getDescription()).contains("leader-election.leave-when-down.group is 'nope'");
        assertThat(report.getAction()).contains("management.endpoint.health.group.nope.include");
    }

    @Test
    void missingHealthIsReported() {
        FailureAnalysis report = FailureReport.of(
                runner().withClassLoader(new FilteredClassLoader("org.springframework.boot.health.registry")));
        assertThat(report.getDescription()).contains("leader-election.leave-when-down.enabled is true");
        assertThat(report.getAction()).contains("spring-boot-starter-actuator");
    }

    @Test
    void isOffByDefault() {
        runner().withPropertyValues("leader-election.leave-when-down.enabled=false")
                .run(context ->
                        assertThat(context).hasNotFailed().doesNotHaveBean("electionUnhealthyCandidateMonitor"));
    }

    static final class Database implements HealthIndicator {

        private volatile boolean down;

        @Override
        public Health health() {
            return down ? Health.down().build() : Health.up().build();
        }
    }

    static final class ReactiveDatabase implements ReactiveHealthIndicator {

        private volatile boolean down;

        @Override
        public Mono<Health> health() {
            return Mono.fromSupplier(
                    () -> down ? Health.down().build() : Health.up().build());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ReactiveApplication {

        @Bean
        ReactiveDatabase reactiveDatabaseHealthIndicator() {
            return new ReactiveDatabase();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({HealthContributorRegistryAutoConfiguration.class, LeaveWhenDownAutoConfiguration.class})
    static class Application {

        @Bean
        Database databaseHealthIndicator() {
            return new Database();
        }
    }
}
