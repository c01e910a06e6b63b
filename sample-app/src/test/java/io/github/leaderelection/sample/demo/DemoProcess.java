package io.github.leaderelection.sample.demo;

import static org.awaitility.Awaitility.await;

import io.github.leaderelection.sample.demo.Scene.Picture;
import io.github.leaderelection.sample.demo.Scene.Shown;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/** The demo as a user starts it: from its jar, as a process of its own. */
final class DemoProcess implements AutoCloseable {

    static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);
    static final Duration LEASE = SESSION_TIMEOUT.dividedBy(3);

    /** For whatever depends on how fast the machine is. */
    static final Duration PATIENCE = Duration.ofSeconds(120);

    private final RestClient http = RestClient.create();
    private final JavaProcess process;
    private final String url;

    DemoProcess(String... arguments) {
        process = new JavaProcess(
                Stream.concat(Stream.of("-jar", ShopProcess.JAR.toString(), "--server.port=0"), Stream.of(arguments))
                        .toList());
        url = await().atMost(PATIENCE)
                .until(() -> process.printed("Page +(http://\\S+)/"), Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until all replicas are up and each election has a leader. */
    DemoProcess ready() {
        await().atMost(PATIENCE)
                .until(
                        this::picture,
                        picture -> picture.replicas().stream().allMatch(replica -> replica.state() == Replica.State.UP)
                                && picture.elections().size() == 3
                                && picture.elections().stream()
                                        .allMatch(election -> election.leaders().size() == 1
                                                && election.queue().size() == 3));
        return this;
    }

    String url() {
        return url;
    }

    Picture picture() {
        return Objects.requireNonNull(http.get().uri(url + "/demo").retrieve().body(Picture.class));
    }

    String leader(String election) {
        return picture().elections().stream()
                .filter(queue ->
                        queue.name().equals(election) && queue.leaders().size() == 1)
                .map(queue -> queue.leaders().get(0))
                .findFirst()
                .orElse("");
    }

    Shown replica(String name) {
        return picture().replicas().stream()
                .filter(replica -> replica.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    void post(String path) {
        http.post()
                .uri(url + path)
                .contentType(MediaType.APPLICATION_JSON)
                .body("{}")
                .retrieve()
                .toBodilessEntity();
    }

    /** The processes of its replicas. */
    List<ProcessHandle> replicas() {
        return picture().replicas().stream()
                .map(Shown::pid)
                .filter(Objects::nonNull)
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList();
    }

    JavaProcess process() {
        return process;
    }

    /** In an orderly way if that works, so that it can tidy up. */
    @Override
    public void close() {
        process.terminate().completeOnTimeout(null, 30, TimeUnit.SECONDS).join();
        process.close();
    }
}
