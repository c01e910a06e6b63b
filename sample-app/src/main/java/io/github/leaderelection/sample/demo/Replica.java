package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.shop.ShopStatus;
import io.github.leaderelection.sample.shop.ShopStatus.Standing;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One replica as the demo sees it. What it is doing follows from what is known: there is no state to keep in step. */
final class Replica {

    private static final Duration SILENCE = Duration.ofMillis(1_500);

    private final String name;
    private volatile @Nullable String candidate;
    private volatile @Nullable URI url;
    private volatile @Nullable ReplicaProcess process;
    private volatile @Nullable Sighting sighting;

    private record Sighting(ShopStatus status, Instant at) {}

    enum State {
        STARTING,
        UP,
        PAUSED,
        SILENT,
        DOWN
    }

    /** One that runs already. */
    Replica(URI url) {
        this.name = url.getAuthority();
        this.url = url;
    }

    /** One that is going to be started. */
    Replica(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** What it calls itself; its name here as long as that is not known. */
    String candidate() {
        return Optional.ofNullable(candidate).orElse(name);
    }

    Optional<URI> url() {
        return Optional.ofNullable(url);
    }

    Optional<ReplicaProcess> process() {
        return Optional.ofNullable(process);
    }

    void runsAs(ReplicaProcess started) {
        sighting = null;
        url = null;
        process = started;
    }

    void listensAt(int port) {
        url = URI.create("http://127.0.0.1:" + port);
    }

    void seen(ShopStatus status) {
        if (status.candidate() != null) {
            candidate = status.candidate();
        }
        sighting = new Sighting(status, Instant.now());
    }

    Optional<ShopStatus> status() {
        return Optional.ofNullable(sighting).map(Sighting::status);
    }

    /** The names of its elections. */
    List<String> elections() {
        return status().stream()
                .flatMap(status -> status.elections().stream())
                .map(Standing::election)
                .toList();
    }

    State state() {
        ReplicaProcess running = process;
        Sighting last = sighting;
        if (running != null && !running.isAlive()) {
            return State.DOWN;
        } else if (running != null && running.isPaused()) {
            return State.PAUSED;
        } else if (last == null) {
            return State.STARTING;
        } else {
            return last.at().plus(SILENCE).isAfter(Instant.now()) ? State.UP : State.SILENT;
        }
    }
}
