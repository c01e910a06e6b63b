package io.github.leaderelection.autoconfigure.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

@ExtendWith(OutputCaptureExtension.class)
class UnguardedMethodsReporterTests {

    private static final String WARNING = "are not guarded";

    private static ConfigurableApplicationContext run(Class<?>... sources) {
        return new SpringApplicationBuilder(sources)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "leader-election.mode=local",
                        "leader-election.elections.orders=")
                .run();
    }

    @Test
    void warnsWithoutAutoConfiguration(CapturedOutput output) {
        run(Job.class).close();
        assertThat(output).contains("WARN", WARNING, "Job.run()", "@TestElections");
    }

    @Test
    void isSilentWithAutoConfiguration(CapturedOutput output) {
        run(Job.class, Complete.class).close();
        assertThat(output).doesNotContain(WARNING);
    }

    @Test
    void isSilentWithoutLeaderOnlyMethods(CapturedOutput output) {
        run(Plain.class).close();
        assertThat(output).doesNotContain(WARNING);
    }

    static class Job {
        @LeaderOnly("orders")
        public void run() {}
    }

    static class Plain {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
    static class Complete {}
}
