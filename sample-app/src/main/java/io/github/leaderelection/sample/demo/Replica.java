package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.shop.ShopStatus;
import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A replica from the demo's point of view. Its state is derived from the process and from the last status. */
final class Replica {

    /** Age of the last status from which a replica counts as not responding. */
    private static final Duration STATUS_TIMEOUT = Duration.ofMillis(1_500);

    private final String name;
    private volatile @Nullable String candidate;
    private volatile @Nullable URI url;
    private volatile @Nullable ReplicaProcess process;
    private volatile @Nullable ReceivedStatus lastStatus;

    private record ReceivedStatus(ShopStatus status, Instant receivedAt) {}

    enum State {
        STARTING,
        UP,
        PAUSED,
        NOT_RESPONDING,
        DOWN
    }

    /** Creates a replica that is already running. */
    Replica(URI url) {
        this.name = url.getAuthority();
        this.url = url;
    }

    /** Creates a replica that the demo is going to start. */
    Replica(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Returns the candidate id that the replica reports, or its name as long as it has not reported one. */
    String candidate() {
        return Optional.ofNullable(candidate).orElse(name);
    }

    Optional<URI> url() {
        return Optional.ofNullable(url);
    }

    Optional<ReplicaProcess> process() {
        return Optional.ofNullable(process);
    }

    void processStarted(ReplicaProcess started) {
        lastStatus = null;
        url = null;
        process = started;
    }

    void listening(int port) {
        url = URI.create("http://127.0.0.1:" + port);
    }

    void statusReceived(ShopStatus status) {
        if (status.candidate() != null) {
            candidate = status.candidate();
        }
        lastStatus = new ReceivedStatus(status, Instant.now());
    }

    Optional<ShopStatus> status() {
        return Optional.ofNullable(lastStatus).map(ReceivedStatus::status);
    }

    /** Returns the names of its elections. */
    List<String> elections() {
        return status().stream()
                .flatMap(status -> status.elections().stream())
                .map(ElectionInfo::election)
                .toList();
    }

    State state() {
        ReplicaProcess running = process;
        ReceivedStatus last = lastStatus;
        if (running != null && !running.isAlive()) {
            return State.DOWN;
        } else if (running != null && running.isPaused()) {
            return State.PAUSED;
        } else if (last == null) {
            return State.STARTING;
        } else {
            return last.receivedAt().plus(STATUS_TIMEOUT).isAfter(Instant.now()) ? State.UP : State.NOT_RESPONDING;
        }
    }
}
