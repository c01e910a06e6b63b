package io.github.leaderelection.actuate;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.Elections;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.support.ManagedElection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * Shows the elections of this instance, and lets operators move leadership. Reading is permitted by default; the rest
 * takes {@code management.endpoint.election.access=unrestricted}.
 */
@Endpoint(id = "election", defaultAccess = Access.READ_ONLY)
public class ElectionEndpoint {

    private static final int LONGEST_ECHO = 40;
    private static final int MOST_DELETED = 100;

    private final Elections elections;
    private final Supplier<ConnectionStatus> connection;
    private final Supplier<String> candidateId;
    private final Map<String, String> metadata;
    private final ElectionDetailsReader participants = new ElectionDetailsReader();
    /** The latest that were deleted here: those opened at run time are not among the application's any more. */
    private final Map<String, Election> deleted = new LinkedHashMap<>();

    /** @param candidateId what this instance is called; asked for when it is first shown */
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

    /** All elections, as this instance knows them: nobody is asked. */
    @ReadOperation
    ElectionDescriptors.All elections() {
        List<ElectionStatus> all =
                elections.all().stream().map(Election::status).toList();
        Map<String, ElectionDescriptors.State> states = new LinkedHashMap<>();
        all.forEach(status -> states.put(status.name(), ElectionDescriptors.State.of(status)));
        return new ElectionDescriptors.All(self(all), ElectionDescriptors.Connection.of(connection.get()), states);
    }

    /** As others see it, if it takes part anywhere: the application may have given itself another name than configured. */
    private ElectionDescriptors.Self self(List<ElectionStatus> all) {
        return all.stream()
                .flatMap(status -> status.candidate().stream())
                .findFirst()
                .map(candidate -> new ElectionDescriptors.Self(candidate.id(), candidate.metadata()))
                .orElseGet(() -> new ElectionDescriptors.Self(candidateId.get(), metadata));
    }

    /** One election with all of its candidates, which are read from ZooKeeper; null if there is none of that name. */
    @ReadOperation
    ElectionDescriptors.@Nullable Details election(@Selector String name) {
        return find(name).map(participants::of).orElse(null);
    }

    /**
     * Steps down, withdraws or nominates. Whoever joins the queue by that is in the answer, unless it takes too long.
     *
     * @throws InvalidEndpointRequestException if there is no such action, or it does not apply now
     * @throws ElectionConnectionException if ZooKeeper is away, or does not confirm it in time
     */
    @WriteOperation
    ElectionDescriptors.Details act(@Selector String name, @Nullable String action) {
        Election election = require(name);
        try {
            if ("step-down".equals(action)) {
                stepDown(election);
            } else if ("withdraw".equals(action)) {
                withdraw(election);
            } else if ("nominate".equals(action)) {
                election.nominate();
            } else {
                throw invalid("There is no action %s; use step-down, withdraw or nominate".formatted(quote(action)));
            }
        } catch (IllegalStateException | ElectionClosedException inapplicable) {
            throw invalid(String.valueOf(inapplicable.getMessage()));
        }
        return participants.onceJoined(election);
    }

    private static void stepDown(Election election) {
        if (election.isLeader()) {
            requireConnection(election);
        }
        // Whoever does not lead is told so, whether ZooKeeper is there or not.
        election.stepDown();
    }

    /** Leaves the queue also where ZooKeeper is away: then it is to be known that this instance doesn't lead again. */
    private static void withdraw(Election election) {
        if (election instanceof ManagedElection managed
                && !managed.gauges().connected()
                && managed.role() != Role.CLOSED) {
            var unused = managed.withdraw(RevocationReason.WITHDRAWN);
        } else {
            election.withdraw();
        }
    }

    /**
     * Ends an election for everyone.
     *
     * @throws InvalidEndpointRequestException if this instance has resigned from it
     * @throws ElectionConnectionException if ZooKeeper is away, or does not confirm it in time
     */
    @DeleteOperation
    ElectionDescriptors.Details delete(@Selector String name) {
        Election election = require(name);
        try {
            if (!hasEnded(election)) {
                requireConnection(election);
            }
            election.delete();
            remember(election);
        } catch (ElectionClosedException resigned) {
            throw invalid(String.valueOf(resigned.getMessage()));
        }
        return participants.of(election);
    }

    private void remember(Election ended) {
        synchronized (deleted) {
            deleted.put(ended.name(), ended);
            if (deleted.size() > MOST_DELETED) {
                deleted.remove(deleted.keySet().iterator().next());
            }
        }
    }

    private Optional<Election> findDeleted(String name) {
        synchronized (deleted) {
            return Optional.ofNullable(deleted.get(name));
        }
    }

    boolean knows(String name) {
        return find(name).isPresent();
    }

    private Optional<Election> find(String name) {
        return elections.all().stream()
                .filter(election -> election.name().equals(name))
                .findFirst()
                .or(() -> findDeleted(name));
    }

    private Election require(String name) {
        return find(name).orElseThrow(() -> invalid("There is no election " + quote(name)));
    }

    private static boolean hasEnded(Election election) {
        return election instanceof ManagedElection managed && managed.gauges().ended();
    }

    /** What needs ZooKeeper is refused at once while it is away, rather than tried until the time is over. */
    private static void requireConnection(Election election) {
        if (election instanceof ManagedElection managed && !managed.gauges().connected()) {
            throw new ElectionConnectionException(
                    "There is no connection to ZooKeeper, so that election '%s' cannot be changed"
                            .formatted(election.name()));
        }
    }

    private static InvalidEndpointRequestException invalid(String message) {
        return new InvalidEndpointRequestException(message, message);
    }

    private static String quote(@Nullable String text) {
        if (text == null) {
            return "in the request";
        }
        return "'%s'".formatted(text.length() > LONGEST_ECHO ? text.substring(0, LONGEST_ECHO) + "…" : text);
    }
}
