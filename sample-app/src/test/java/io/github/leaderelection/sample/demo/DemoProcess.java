package io.github.leaderelection.sample.demo;

import static org.awaitility.Awaitility.await;

import io.github.leaderelection.sample.JavaProcess;
import io.github.leaderelection.sample.demo.DemoSnapshot.ReplicaView;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/** The demo in its own process, started from the jar as a user would start it. */
final class DemoProcess extends JavaProcess {

    static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);
    static final Duration LEASE = SESSION_TIMEOUT.dividedBy(3);

    /** Generous bound for steps that depend on the speed of the machine. */
    static final Duration TIMEOUT = Duration.ofSeconds(120);

    private final RestClient http = RestClient.create();
    private final String url;

    DemoProcess(String... arguments) {
        super(Stream.concat(Stream.of("-jar", SAMPLE_JAR.toString(), "--server.port=0"), Stream.of(arguments))
                .toList());
        url = await().atMost(TIMEOUT)
                .until(() -> findInOutput("Page +(http://\\S+)/"), Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until all replicas are up and lead one election each, and each election has three candidates. */
    DemoProcess awaitReady() {
        await().atMost(TIMEOUT)
                .until(
                        this::snapshot,
                        snapshot -> snapshot.replicas().stream()
                                        .allMatch(replica -> replica.state() == Replica.State.UP)
                                && snapshot.elections().size() == 3
                                && snapshot.elections().stream()
                                        .allMatch(election -> election.leaders().size() == 1
                                                && election.queue().candidates().size() == 3)
                                && snapshot.elections().stream()
                                                .flatMap(election -> election.leaders().stream())
                                                .distinct()
                                                .count()
                                        == 3);
        return this;
    }

    String url() {
        return url;
    }

    DemoSnapshot snapshot() {
        return Objects.requireNonNull(http.get().uri(url + "/demo").retrieve().body(DemoSnapshot.class));
    }

    String leader(String election) {
        return snapshot().elections().stream()
                .filter(view -> view.name().equals(election) && view.leaders().size() == 1)
                .map(view -> view.leaders().get(0))
                .findFirst()
                .orElse("");
    }

    ReplicaView replica(String name) {
        return snapshot().replicas().stream()
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

    /** Returns the processes of the replicas. */
    List<ProcessHandle> replicaProcesses() {
        return snapshot().replicas().stream()
                .map(ReplicaView::pid)
                .filter(Objects::nonNull)
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList();
    }

    /** Tries a graceful shutdown first, so that the demo can clean up. */
    @Override
    public void close() {
        terminate().completeOnTimeout(null, 30, TimeUnit.SECONDS).join();
        super.close();
    }
}
