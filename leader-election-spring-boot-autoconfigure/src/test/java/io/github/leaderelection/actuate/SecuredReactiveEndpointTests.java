package io.github.leaderelection.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** A reactive application in which a clerk may read, and change the election 'billing' only. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SecuredReactiveEndpointTests {

    private static final String NOMINATE = "{\"action\":\"nominate\"}";
    private static final String WITHDRAW = "{\"action\":\"withdraw\",\"name\":\"orders\"}";

    private static WebApplication clerk;

    @BeforeAll
    static void start() {
        clerk = WebApplication.startSecured(
                "clerk",
                Rules.class,
                "spring.main.web-application-type=reactive",
                "management.endpoint.election.access=unrestricted",
                "leader-election.mode=local",
                "leader-election.elections.billing=",
                "leader-election.elections.orders=");
        await().until(() -> clerk.election("orders").isLeader());
    }

    @AfterAll
    static void stop() {
        clerk.close();
    }

    @Test
    void rejectsAnonymousRequests() {
        WebApplication anonymous = clerk.as("");
        assertThat(anonymous.get("/election/orders").status()).isEqualTo(401);
        assertThat(anonymous.get("/election/orders/leader").status()).isEqualTo(401);
        assertThat(anonymous.delete("/election/orders").status()).isEqualTo(401);
    }

    @Test
    void rulesReferToThePathOfAnElection() {
        assertThat(clerk.get("/election/orders/leader").status()).isEqualTo(200);
        assertThat(clerk.post("/election/billing", NOMINATE).status()).isEqualTo(200);
        assertThat(clerk.post("/election/orders", NOMINATE).status()).isEqualTo(403);
        clerk.post("/election/billing?name=orders", WITHDRAW);
        assertThat(clerk.election("orders").isLeader()).isTrue();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebFluxSecurity
    static class Rules {

        @Bean
        SecurityWebFilterChain rules(ServerHttpSecurity http) {
            return http.authorizeExchange(requests -> requests.pathMatchers(HttpMethod.GET, "/actuator/**")
                            .hasRole("CLERK")
                            .pathMatchers("/actuator/election/billing")
                            .hasRole("CLERK")
                            .anyExchange()
                            .denyAll())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            UserDetails clerk = User.withUsername("clerk")
                    .password("{noop}secret")
                    .roles("CLERK")
                    .build();
            return new MapReactiveUserDetailsService(clerk);
        }
    }
}
