package io.github.leaderelection.autoconfigure.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.LeaderOnly.Otherwise;
import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.autoconfigure.Instances;
import io.github.leaderelection.test.TestElection;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Controllers of secured applications over HTTP, with Spring MVC and Spring WebFlux. */
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NotLeaderAdviceTests {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final List<String> PATHS = List.of("/report", "/later", "/mono", "/required");

    private ConfigurableApplicationContext context;

    @AfterEach
    void close() {
        context.close();
    }

    private void start(WebApplicationType type, List<Class<?>> more, String... properties) {
        List<Class<?>> sources = new ArrayList<>(more);
        sources.add(Application.class);
        context = new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(type)
                .properties(
                        "spring.main.banner-mode=off",
                        "server.port=0",
                        "server.address=127.0.0.1",
                        "server.shutdown=immediate",
                        "spring.datasource.url=jdbc:h2:mem:web",
                        "spring.security.user.name=user",
                        "spring.security.user.password=secret",
                        "leader-election.mode=local",
                        "leader-election.elections.orders=")
                .properties(properties)
                .run();
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        byte[] credentials = "user:secret".getBytes(StandardCharsets.UTF_8);
        HttpRequest.Builder request = request(path)
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
        return HTTP.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:%s%s"
                        .formatted(context.getEnvironment().getProperty("local.server.port"), path)))
                .timeout(Duration.ofSeconds(30));
    }

    private TestElection election() {
        return context.getBean(TestElection.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void controllerOnFollowerAsksToRetry(WebApplicationType type) throws Exception {
        start(type, List.of());
        election().nominate();
        for (String path : PATHS) {
            HttpResponse<String> response = get(path);
            assertThat(response.statusCode()).as(path).isEqualTo(503);
            assertThat(response.headers().firstValue("Retry-After")).contains("1");
            assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
            JsonNode problem = JsonMapper.shared().readTree(response.body());
            assertThat(problem.path("status").asInt()).isEqualTo(503);
            assertThat(problem.path("title").asString()).isEqualTo("Service Unavailable");
            assertThat(problem.path("detail").asString()).isEqualTo("This instance does not lead election 'orders'.");
            assertThat(problem.path("election").asString()).isEqualTo("orders");
            assertThat(problem.has("leader")).isFalse();
            assertThat(response.body()).doesNotContain("Controller", "Exception");
        }
        assertThat(get("/report", "Accept", "text/html").statusCode()).isEqualTo(503);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void responseNamesTheLeaderIfItIsKnown(WebApplicationType type) throws Exception {
        start(type, List.of());
        election().leaderChanged(new Candidate("shop-2", Map.of(), 7, 42, Instant.now()));
        assertThat(JsonMapper.shared()
                        .readTree(get("/report").body())
                        .path("leader")
                        .asString())
                .isEqualTo("shop-2");
        election().leaderChanged(null);
        assertThat(get("/report").body()).doesNotContain("shop-2");
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void aFollowerKnowsItsLeaderWithoutObservingTheElection(WebApplicationType type) {
        try (TestServer server = new TestServer();
                Instances others = new Instances()) {
            String[] properties = {
                "leader-election.mode=zookeeper",
                "leader-election.zookeeper.connect-string=" + server.address(),
                "leader-election.root=/elections",
                "leader-election.elections.billing=",
                "billing=billing"
            };
            ConfigurableApplicationContext leader =
                    others.start(Stream.concat(Stream.of("leader-election.candidate.id=shop-1"), Stream.of(properties))
                            .toArray(String[]::new));
            await().until(() -> Instances.election(leader, "billing").isLeader());
            start(type, List.of(), properties);
            await().untilAsserted(() -> {
                HttpResponse<String> response = get("/billing");
                assertThat(response.statusCode()).isEqualTo(503);
                assertThat(JsonMapper.shared()
                                .readTree(response.body())
                                .path("leader")
                                .asString(""))
                        .isEqualTo("shop-1");
            });
            // Before the server: otherwise its shutdown waits for ZooKeeper.
            context.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void controllerOnLeaderAnswersAsUsual(WebApplicationType type) throws Exception {
        start(type, List.of());
        election().grant();
        for (String path : PATHS) {
            assertThat(get(path).body()).as(path).isEqualTo("sent");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void securityComesFirst(WebApplicationType type) throws Exception {
        start(type, List.of());
        HttpResponse<String> anonymous = HTTP.send(request("/report").build(), BodyHandlers.ofString());
        assertThat(anonymous.statusCode()).isEqualTo(401);
        assertThat(anonymous.body()).doesNotContain("orders");
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void handlerOfTheApplicationComesFirst(WebApplicationType type) throws Exception {
        start(type, List.of(OwnAdvice.class));
        assertThat(get("/report").statusCode()).isEqualTo(409);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void canBeDisabled(WebApplicationType type) throws Exception {
        start(type, List.of(), "leader-election.web.problem-details=false");
        assertThat(get("/report").statusCode()).isEqualTo(500);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        TestElection ordersElection() {
            return new TestElection("orders");
        }

        @Bean
        ReportController reportController(TestElection election) {
            return new ReportController(election);
        }
    }

    @RestController
    static class ReportController {

        private final TestElection election;

        ReportController(TestElection election) {
            this.election = election;
        }

        @GetMapping("/report")
        @LeaderOnly(value = "orders", otherwise = Otherwise.THROW)
        public String report() {
            return "sent";
        }

        @GetMapping("/billing")
        @LeaderOnly(value = "${billing:orders}", otherwise = Otherwise.THROW)
        public String bill() {
            return "sent";
        }

        @GetMapping("/later")
        @LeaderOnly(value = "orders", otherwise = Otherwise.THROW)
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("sent");
        }

        @GetMapping("/mono")
        @LeaderOnly(value = "orders", otherwise = Otherwise.THROW)
        public Mono<String> mono() {
            return Mono.just("sent");
        }

        @GetMapping("/required")
        @LeaderOnly(value = "orders", otherwise = Otherwise.THROW)
        public String required() {
            election.leadership().orElseThrow().requireValid();
            return "sent";
        }
    }

    @RestControllerAdvice
    static class OwnAdvice {

        @ExceptionHandler
        @ResponseStatus(HttpStatus.CONFLICT)
        String handle(NotLeaderException rejection) {
            return "";
        }
    }
}
