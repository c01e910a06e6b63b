package io.github.leaderelection.benchmarks.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.test.TestElection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.integration.support.SmartLifecycleRoleController;

/** What the table for SmartLifecycleRoleController says: the original and what replaces it start and stop the same beans. */
class RoleControllerMigrationTests {

    private static final List<String> EXPECTED = List.of("start 1", "start 2", "stop 2", "stop 1");

    @Test
    void theOriginalStartsAndStopsInTheOrderOfThePhases() {
        List<String> log = new CopyOnWriteArrayList<>();
        try (var context = new AnnotationConfigApplicationContext(Integration.class)) {
            var controller = context.getBean(SmartLifecycleRoleController.class);
            controller.addLifecycleToRole("imports", new Endpoint(2, log, false));
            controller.addLifecycleToRole("imports", new Endpoint(1, log, false));
            context.publishEvent(new OnGrantedEvent(this, null, "imports"));
            assertThat(controller.allEndpointsRunning("imports")).isTrue();
            context.publishEvent(new OnRevokedEvent(this, null, "imports"));
        }
        assertThat(log).isEqualTo(EXPECTED);
    }

    @Test
    void theReplacementDoesTheSame() {
        try (ConfigurableApplicationContext context = SpringApplication.run(
                Application.class, "--spring.main.banner-mode=off", "--leader-election.mode=local")) {
            Application application = context.getBean(Application.class);
            assertThat(application.log).isEmpty();
            var imports = context.getBean(TestElection.class);
            imports.grant();
            imports.stepDown();
            assertThat(application.log).isEqualTo(EXPECTED);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableIntegration
    static class Integration {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        private final List<String> log = new CopyOnWriteArrayList<>();

        @Bean
        TestElection importsElection() {
            return new TestElection("imports");
        }

        @Bean
        @WhileLeader("imports")
        Endpoint second() {
            return new Endpoint(2, log, true);
        }

        @Bean
        @WhileLeader("imports")
        Endpoint first() {
            return new Endpoint(1, log, true);
        }
    }

    /** In the place of an endpoint of Spring Integration. */
    static final class Endpoint implements SmartLifecycle {

        private final int phase;
        private final List<String> log;
        private volatile boolean autoStartup;
        private volatile boolean running;

        Endpoint(int phase, List<String> log, boolean autoStartup) {
            this.phase = phase;
            this.log = log;
            this.autoStartup = autoStartup;
        }

        public void setAutoStartup(boolean autoStartup) {
            this.autoStartup = autoStartup;
        }

        @Override
        public boolean isAutoStartup() {
            return autoStartup;
        }

        @Override
        public int getPhase() {
            return phase;
        }

        @Override
        public void start() {
            log.add("start " + phase);
            running = true;
        }

        @Override
        public void stop() {
            log.add("stop " + phase);
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }
}
