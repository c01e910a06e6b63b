package io.github.leaderelection.sample.shop;

import io.github.leaderelection.Role;
import io.github.leaderelection.sample.JavaProcess;
import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** An instance of the shop in its own process, started without the demo. */
public final class ShopProcess extends JavaProcess {

    private final RestClient http = RestClient.create();

    /**
     * Starts an instance.
     *
     * @param arguments arguments of the {@code java} command
     */
    ShopProcess(List<String> arguments) {
        super(arguments);
    }

    /** Starts an instance from the jar, on a free port. */
    public static ShopProcess fromJar(List<String> jvmOptions, String... arguments) {
        List<String> command = new ArrayList<>(jvmOptions);
        command.addAll(List.of("-jar", SAMPLE_JAR.toString(), "--replica", "--server.port=0"));
        command.addAll(List.of(arguments));
        return new ShopProcess(command);
    }

    /** Returns the URL of the instance; empty until its web server has started. */
    public Optional<String> url() {
        return findInOutput("Tomcat started on port (\\d+)").map(port -> "http://127.0.0.1:" + port);
    }

    /** Returns the response body; empty if the instance cannot be reached. */
    <T> Optional<T> get(String path, Class<T> type) {
        try {
            return url().map(url -> http.get().uri(url + path).retrieve().body(type));
        } catch (ResourceAccessException unreachable) {
            return Optional.empty();
        }
    }

    List<ElectionInfo> elections() {
        return get("/status", ShopStatus.class).map(ShopStatus::elections).orElseGet(List::of);
    }

    /** Returns the given election if the instance has the given role in it. */
    public Optional<ElectionInfo> election(String name, Role role) {
        return elections().stream()
                .filter(election -> election.election().equals(name) && election.role() == role)
                .findFirst();
    }
}
