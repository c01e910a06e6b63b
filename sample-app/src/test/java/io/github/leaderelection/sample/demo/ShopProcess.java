package io.github.leaderelection.sample.demo;

import io.github.leaderelection.Role;
import io.github.leaderelection.sample.shop.ShopStatus;
import io.github.leaderelection.sample.shop.ShopStatus.Standing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** One replica of the shop, started as a user would, without the demo. */
final class ShopProcess implements AutoCloseable {

    static final Path JAR = Path.of("target", "sample-app.jar");

    private final RestClient http = RestClient.create();
    private final JavaProcess process;

    /** @param arguments those of the {@code java} command */
    ShopProcess(List<String> arguments) {
        process = new JavaProcess(arguments);
    }

    /** From the jar, on a free port. */
    static ShopProcess replica(List<String> options, String... arguments) {
        List<String> command = new ArrayList<>(options);
        command.addAll(List.of("-jar", JAR.toString(), "--replica", "--server.port=0"));
        command.addAll(List.of(arguments));
        return new ShopProcess(command);
    }

    JavaProcess process() {
        return process;
    }

    /** Where it listens; empty as long as it doesn't. */
    Optional<String> url() {
        return process.printed("Tomcat started on port (\\d+)").map(port -> "http://127.0.0.1:" + port);
    }

    /** Empty if there is no answer. */
    <T> Optional<T> get(String path, Class<T> type) {
        try {
            return url().map(url -> http.get().uri(url + path).retrieve().body(type));
        } catch (ResourceAccessException unreachable) {
            return Optional.empty();
        }
    }

    List<Standing> standings() {
        return get("/status", ShopStatus.class).map(ShopStatus::elections).orElseGet(List::of);
    }

    /** What it is in an election, if it is this. */
    Optional<Standing> standing(String election, Role role) {
        return standings().stream()
                .filter(standing -> standing.election().equals(election) && standing.role() == role)
                .findFirst();
    }

    @Override
    public void close() {
        process.close();
    }
}
