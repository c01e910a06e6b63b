package io.github.leaderelection.actuate;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.Elections;
import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.actuate.ElectionDescriptors.ConnectionDescriptor;
import io.github.leaderelection.actuate.ElectionDescriptors.ElectionDescriptor;
import io.github.leaderelection.actuate.ElectionDescriptors.ElectionDetailsDescriptor;
import io.github.leaderelection.actuate.ElectionDescriptors.ElectionsDescriptor;
import io.github.leaderelection.actuate.ElectionDescriptors.InstanceDescriptor;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.support.ManagedElection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Shows the elections of this instance, and lets operators move leadership. By default only reading is permitted; other
 * operations require {@code management.endpoint.election.access=unrestricted}.
 */
@Endpoint(id = "election", defaultAccess = Access.READ_ONLY)
@ImportRuntimeHints(ElectionEndpointRuntimeHints.class)
public class ElectionEndpoint {

    private static final int MAX_ECHO_LENGTH = 40;
    private static final int MAX_DELETED = 100;
    /** Together with the time for reading, this has to be less than two seconds. */
    private static final Duration OUTCOME_TIMEOUT = Duration.ofMillis(800);

    private static final String LEAVING =
            "leaving: the hand-over waits for listeners and leader-only work, at most for the drain timeout";

    private final Elections elections;
    private final Supplier<ConnectionStatus> connection;
    private final Supplier<String> candidateId;
    private final Map<String, String> metadata;
    private final ElectionDetailsReader detailsReader = new ElectionDetailsReader();
    private final Departures departures = new Departures();
    /** The latest elections deleted here, because those opened at run time are no longer elections of the application. */
    private final Map<String, ManagedElection> deleted = new LinkedHashMap<>();

    /**
     * Creates the endpoint.
     *
     * @param candidateId returns the configured id of this instance; called when it is first shown
     */
    public ElectionEndpoint(
            Elections elections,
            Supplier<ConnectionStatus> connection,
            Supplier<String> candidateId,
            Map<String, String> metadata) {
        this.elections = elections;
        this.connection = connection;
        this.candidateId = candidateId;
        this.metadata = Map.copyOf(metadata);
    }

    /** Returns all elections as this instance knows them, without access to ZooKeeper. */
    @ReadOperation
    ElectionsDescriptor elections() {
        List<ElectionStatus> all =
                elections.all().stream().map(Election::status).toList();
        Map<String, ElectionDescriptor> descriptors = new LinkedHashMap<>();
        all.forEach(status -> descriptors.put(status.name(), describe(status)));
        long led =
                all.stream().filter(status -> status.leadership().isPresent()).count();
        return new ElectionsDescriptor(instance(all), ConnectionDescriptor.of(connection.get()), led, descriptors);
    }

    /** Prefers the candidate as others see it, because the application may use an id other than the configured one. */
    private InstanceDescriptor instance(List<ElectionStatus> all) {
        return all.stream()
                .flatMap(status -> status.candidate().stream())
                .findFirst()
                .map(candidate -> new InstanceDescriptor(candidate.id(), candidate.metadata()))
                .orElseGet(() -> new InstanceDescriptor(candidateId.get(), metadata));
    }

    /** Returns one election with its candidates, which are read from ZooKeeper; null if there is no such election. */
    @Nullable
    ElectionDetailsDescriptor election(String name) {
        return find(name)
                .map(election -> isLeaving(election) ? readLeaving(election) : detailsReader.read(election))
                .orElse(null);
    }

    /** Returns one election as this instance knows it, without access to ZooKeeper; null if there is no such election. */
    @Nullable
    ElectionDescriptor localElection(String name) {
        return find(name).map(election -> describe(election.status())).orElse(null);
    }

    /**
     * Steps down, withdraws, nominates or hands over. Waits briefly for the outcome: for running work that delays a
     * hand-over, and for this instance to join the queue. The action {@code hand-over} waits until the hand-over is
     * complete.
     *
     * @param to the id of the candidate to hand over to; null for the candidate that the leader has chosen
     * @throws InvalidEndpointRequestException if the action is unknown or does not apply now
     * @throws ElectionConnectionException if ZooKeeper is not connected, or does not confirm the action in time
     * @throws NotLeaderException if there is no leader that could hand over
     */
    ElectionDetailsDescriptor act(String name, @Nullable String action, @Nullable String to) {
        ManagedElection election = require(name);
        long deadline = System.nanoTime() + OUTCOME_TIMEOUT.toNanos();
        try {
            if ("step-down".equals(action)) {
                stepDown(election, deadline);
            } else if ("withdraw".equals(action)) {
                withdraw(election, deadline);
            } else if ("nominate".equals(action)) {
                election.nominate();
            } else if ("hand-over".equals(action)) {
                requireOpen(election);
                HandOverAction.run(election, to);
            } else {
                String problem = action == null ? "The request has no action" : "Unknown action " + quote(action);
                throw invalid(problem + ". Use step-down, withdraw, nominate or hand-over");
            }
        } catch (IllegalStateException | ElectionClosedException inapplicable) {
            throw invalid(String.valueOf(inapplicable.getMessage()));
        }
        return isLeaving(election) ? readLeaving(election) : detailsReader.readOnceJoined(election, deadline);
    }

    private void stepDown(ManagedElection election, long deadline) {
        if (election.isLeader()) {
            requireConnection(election);
        }
        // If this instance does not lead, this fails with the reason, whether ZooKeeper is connected or not.
        departures.start(election, election::stepDown, deadline - System.nanoTime());
    }

    /** Does not wait for ZooKeeper while disconnected: it is enough that this instance does not lead again. */
    private void withdraw(ManagedElection election, long deadline) {
        if (!election.gauges().connected() && election.role() != Role.CLOSED) {
            var unused = election.withdraw(RevocationReason.WITHDRAWN);
        } else {
            departures.start(election, election::withdraw, deadline - System.nanoTime());
        }
    }

    private static void requireOpen(Election election) {
        if (election.role() == Role.CLOSED) {
            throw new ElectionClosedException("Election '%s' is closed".formatted(election.name()));
        }
    }

    private boolean isLeaving(Election election) {
        return departures.isUnderWay(election.name());
    }

    private ElectionDetailsDescriptor readLeaving(ManagedElection election) {
        return detailsReader.readWhileLeaving(election).orError(LEAVING);
    }

    private ElectionDescriptor describe(ElectionStatus status) {
        ElectionDescriptor election = ElectionDescriptor.of(status);
        return departures.isUnderWay(status.name()) ? election.orError(LEAVING) : election;
    }

    /**
     * Ends an election for all instances.
     *
     * @throws InvalidEndpointRequestException if this instance has resigned from the election
     * @throws ElectionConnectionException if ZooKeeper is not connected, or does not confirm the deletion in time
     */
    ElectionDetailsDescriptor delete(String name) {
        ManagedElection election = require(name);
        try {
            if (!election.gauges().ended()) {
                requireConnection(election);
            }
            election.delete();
            rememberDeleted(election);
        } catch (ElectionClosedException resigned) {
            throw invalid(String.valueOf(resigned.getMessage()));
        }
        return detailsReader.read(election);
    }

    private void rememberDeleted(ManagedElection election) {
        synchronized (deleted) {
            deleted.put(election.name(), election);
            if (deleted.size() > MAX_DELETED) {
                deleted.remove(deleted.keySet().iterator().next());
            }
        }
    }

    private Optional<ManagedElection> findDeleted(String name) {
        synchronized (deleted) {
            return Optional.ofNullable(deleted.get(name));
        }
    }

    boolean hasElection(String name) {
        return find(name).isPresent();
    }

    private Optional<ManagedElection> find(String name) {
        return elections.all().stream()
                .filter(election -> election.name().equals(name))
                .findFirst()
                .map(ManagedElection::of)
                .or(() -> findDeleted(name));
    }

    private ManagedElection require(String name) {
        return find(name).orElseThrow(() -> invalid("There is no election " + quote(name)));
    }

    /** Fails at once while disconnected, rather than when the timeout has elapsed. */
    private static void requireConnection(ManagedElection election) {
        if (!election.gauges().connected()) {
            throw new ElectionConnectionException(
                    "Election '%s' cannot be changed, because there is no connection to ZooKeeper"
                            .formatted(election.name()));
        }
    }

    private static InvalidEndpointRequestException invalid(String message) {
        return new InvalidEndpointRequestException(message, message);
    }

    private static String quote(String text) {
        return "'%s'".formatted(text.length() > MAX_ECHO_LENGTH ? text.substring(0, MAX_ECHO_LENGTH) + "…" : text);
    }
}
