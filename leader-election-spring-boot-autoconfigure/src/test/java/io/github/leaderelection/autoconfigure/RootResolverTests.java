package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;

class RootResolverTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class))
            .withPropertyValues("leader-election.mode=local", "leader-election.elections.orders=");

    private void assertPath(ApplicationContextRunner application, String path) {
        application.run(
                context -> assertThat(context.getBean(Election.class).path()).isEqualTo(path));
    }

    @ParameterizedTest
    @CsvSource({
        "shop, shop",
        "Shop Service, Shop Service",
        "team/shop, team-shop",
        "/, -",
        "., -",
        ".., -.",
        ".beats, -beats",
        "a.b, a.b",
        "Bücher, Bücher",
        "a\u0007b, a-b",
        "a\u202eb, a-b",
        "\uD83D\uDE00, -",
        "a//b, a--b"
    })
    void isNamedAfterTheApplication(String application, String node) {
        assertPath(
                runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(
                                new MapPropertySource("application", Map.of("spring.application.name", application)))),
                "/elections/" + node + "/orders");
    }

    @Test
    void hasNoNameIfTheApplicationHasNone() {
        assertPath(runner, "/elections/orders");
        assertPath(runner.withPropertyValues("spring.application.name="), "/elections/orders");
    }

    @Test
    void isTheConfiguredOne() {
        assertPath(
                runner.withPropertyValues("spring.application.name=shop", "leader-election.root=/shared"),
                "/shared/orders");
    }

    @Test
    void doesNotMatterIfTheElectionHasAPath() {
        assertPath(
                runner.withPropertyValues("spring.application.name=shop", "leader-election.elections.orders.path=/x"),
                "/x");
    }
}
