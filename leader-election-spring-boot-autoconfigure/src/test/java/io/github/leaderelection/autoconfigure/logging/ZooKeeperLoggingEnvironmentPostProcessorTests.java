package io.github.leaderelection.autoconfigure.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;

class ZooKeeperLoggingEnvironmentPostProcessorTests {

    private static final String CLIENT = "logging.level.org.apache.zookeeper.ClientCnxn";

    private final StandardEnvironment environment = new StandardEnvironment();

    private String clientLevel() {
        new ZooKeeperLoggingEnvironmentPostProcessor().postProcessEnvironment(environment, new SpringApplication());
        return environment.getProperty(CLIENT);
    }

    @Test
    void reducesWhatTheClientLogs() {
        assertThat(clientLevel()).isEqualTo("error");
    }

    @Test
    void ignoresLevelsOfOtherLoggers() {
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "levels", Map.of("logging.level.root", "debug", "logging.level.org.apache.kafka", "warn")));
        assertThat(clientLevel()).isEqualTo("error");
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.apache.zookeeper", "org.apache.zookeeper.ZooKeeper", "org.apache"})
    void leavesTheLevelsOfTheApplicationAlone(String logger) {
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("levels", Map.of("logging.level." + logger, "info")));
        assertThat(clientLevel()).isNull();
    }

    @Test
    void isFoundByEveryApplication() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(EnvironmentPostProcessor.class, (type, name, missing) -> {}))
                .hasAtLeastOneElementOfType(ZooKeeperLoggingEnvironmentPostProcessor.class);
    }
}
