package io.github.leaderelection.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** An application with one role for readers and one for operators. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SecuredEndpointTests {

    private static final String WITHDRAW = "{\"action\":\"withdraw\"}";

    private static WebApplication operator;

    @BeforeAll
    static void start() {
        operator = WebApplication.startSecured(
                "operator",
                Rules.class,
                "management.endpoint.election.access=unrestricted",
                "leader-election.mode=local",
                "leader-election.elections.billing=",
                "leader-election.elections.orders=");
        await().until(() -> operator.election("orders").isLeader());
    }

    @AfterAll
    static void stop() {
        operator.close();
    }

    @Test
    void rejectsAnonymousRequests() {
        WebApplication anonymous = operator.as("");
        assertThat(anonymous.get("/election").status()).isEqualTo(401);
        assertThat(anonymous.get("/election/orders").status()).isEqualTo(401);
        assertThat(anonymous.post("/election/orders", WITHDRAW).status()).isEqualTo(401);
        assertThat(anonymous.delete("/election/orders").status()).isEqualTo(401);
    }

    @Test
    void readerMayNotChangeElections() {
        WebApplication reader = operator.as("reader");
        assertThat(reader.get("/election").status()).isEqualTo(200);
        assertThat(reader.get("/election/orders").status()).isEqualTo(200);
        assertThat(reader.post("/election/orders", WITHDRAW).status()).isEqualTo(403);
        assertThat(reader.delete("/election/orders").status()).isEqualTo(403);
        assertThat(operator.election("orders").leadership()).isPresent();
    }

    @Test
    void operatorMayChangeElections() {
        assertThat(operator.post("/election/orders", "{\"action\":\"nominate\"}")
                        .status())
                .isEqualTo(200);
    }

    /** Security rules refer to the path, so nothing else may select the election. */
    @ParameterizedTest
    @ValueSource(strings = {"name", "path", "election"})
    void operatorOfOneElectionMayNotChangeAnother(String parameter) {
        WebApplication clerk = operator.as("clerk");
        String body = "{\"action\":\"withdraw\",\"%s\":\"orders\"}".formatted(parameter);
        assertThat(clerk.post("/election/orders", WITHDRAW).status()).isEqualTo(403);
        clerk.post("/election/billing", body);
        clerk.post("/election/billing?%s=orders".formatted(parameter), WITHDRAW);
        assertThat(operator.election("orders").leadership()).isPresent();
    }

    @Configuration(proxyBeanMethods = false)
    static class Rules {

        @Bean
        SecurityFilterChain rules(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.GET, "/actuator/**")
                            .hasRole("READER")
                            .requestMatchers("/actuator/election/billing")
                            .hasAnyRole("CLERK", "OPERATOR")
                            .anyRequest()
                            .hasRole("OPERATOR"))
                    .httpBasic(Customizer.withDefaults())
                    .csrf(AbstractHttpConfigurer::disable)
                    .build();
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("reader")
                            .password("{noop}secret")
                            .roles("READER")
                            .build(),
                    User.withUsername("clerk")
                            .password("{noop}secret")
                            .roles("CLERK")
                            .build(),
                    User.withUsername("operator")
                            .password("{noop}secret")
                            .roles("READER", "OPERATOR")
                            .build());
        }
    }
}
