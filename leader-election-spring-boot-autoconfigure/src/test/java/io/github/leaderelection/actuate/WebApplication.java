package io.github.leaderelection.actuate;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A complete web application with all auto-configurations, on a free port of the loopback interface. */
public final class WebApplication implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String SECURITY = "org.springframework.boot.security.autoconfigure.";

    /** A response over HTTP. */
    public record Answer(int status, String body) {

        public JsonNode json() {
            return JSON.readTree(body);
        }
    }

    private final ConfigurableApplicationContext context;
    private final String user;

    private WebApplication(ConfigurableApplicationContext context, String user) {
        this.context = context;
        this.user = user;
    }

    /** Starts an application without security. */
    public static WebApplication start(List<Class<?>> configurations, String... properties) {
        String withoutSecurity = "spring.autoconfigure.exclude="
                + String.join(
                        ",",
                        SECURITY + "SecurityAutoConfiguration",
                        SECURITY + "UserDetailsServiceAutoConfiguration",
                        SECURITY + "ReactiveUserDetailsServiceAutoConfiguration",
                        SECURITY + "actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
                        SECURITY + "web.reactive.ReactiveWebSecurityAutoConfiguration",
                        SECURITY + "actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
                        SECURITY + "web.servlet.SecurityFilterAutoConfiguration",
                        SECURITY + "web.servlet.ServletWebSecurityAutoConfiguration");
        return run(configurations, Stream.concat(Stream.of(withoutSecurity), Stream.of(properties)), "");
    }

    public static WebApplication start(String... properties) {
        return start(List.of(), properties);
    }

    /** Starts an application with Spring Security. Requests are made by a user with the password "secret". */
    public static WebApplication startSecured(String user, Class<?> configuration, String... properties) {
        return run(List.of(configuration), Stream.of(properties), user);
    }

    private static WebApplication run(List<Class<?>> configurations, Stream<String> properties, String user) {
        List<Class<?>> sources = new ArrayList<>(configurations);
        sources.add(Base.class);
        return new WebApplication(
                new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                        .properties(
                                "spring.main.banner-mode=off",
                                "server.port=0",
                                "server.address=127.0.0.1",
                                "server.shutdown=immediate",
                                "spring.datasource.url=jdbc:h2:mem:actuate",
                                "management.endpoints.web.exposure.include=*",
                                "management.endpoint.health.show-details=always",
                                "leader-election.candidate.id=instance-1",
                                "leader-election.zookeeper.session-timeout=6s")
                        .properties(properties.toArray(String[]::new))
                        .run(),
                user);
    }

    /** Returns the same application for another user, or for anonymous requests. */
    public WebApplication as(String other) {
        return new WebApplication(context, other);
    }

    public ConfigurableApplicationContext context() {
        return context;
    }

    public Election election(String name) {
        return context.getBean(Elections.class).get(name);
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    public Answer post(String path, String body) {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
    }

    public Answer delete(String path) {
        return send(request(path).DELETE());
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%s/actuator%s"
                        .formatted(context.getEnvironment().getProperty("local.server.port"), path)))
                .timeout(Duration.ofSeconds(60));
        if (!user.isEmpty()) {
            byte[] credentials = (user + ":secret").getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
        }
        return request;
    }

    private static Answer send(HttpRequest.Builder request) {
        try {
            var response = HTTP.send(request.build(), BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Base {}
}
