package io.github.leaderelection.benchmarks.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.core.MessageSource;
import org.springframework.integration.endpoint.SourcePollingChannelAdapter;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/** The recipe for an endpoint of Spring Integration. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ImportConfigurationTests {

    private static final BlockingQueue<Object> IMPORTED = new LinkedBlockingQueue<>();

    @Test
    void theEndpointPollsWhileTheInstanceLeads() throws Exception {
        try (ConfigurableApplicationContext application = SpringApplication.run(
                Application.class,
                "--spring.main.banner-mode=off",
                "--leader-election.mode=local",
                "--leader-election.elections.imports.participate=false")) {
            var adapter = application.getBean(SourcePollingChannelAdapter.class);
            assertThat(adapter.isRunning()).isFalse();
            Election imports = application.getBean("importsElection", Election.class);
            imports.nominate();
            assertThat(imports.awaitLeadership(Duration.ofSeconds(20))).isTrue();
            assertThat(IMPORTED.poll(20, TimeUnit.SECONDS)).isEqualTo("file");
            imports.withdraw();
            assertThat(adapter.isRunning()).isFalse();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableIntegration
    @Import(ImportConfiguration.class)
    static class Application {

        @Bean
        MessageSource<?> files() {
            return () -> IMPORTED.isEmpty() ? new GenericMessage<>("file") : null;
        }

        @Bean
        MessageChannel imports() {
            var channel = new DirectChannel();
            channel.subscribe(message -> IMPORTED.add(message.getPayload()));
            return channel;
        }
    }
}
