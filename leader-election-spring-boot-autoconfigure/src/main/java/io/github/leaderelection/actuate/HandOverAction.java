package io.github.leaderelection.actuate;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.HandOver;
import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.support.Electorate;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.support.OneLine;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/** Moves the leadership to another candidate, whichever instance leads, or says why that is not possible. */
final class HandOverAction {

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(1);
    private static final int MAX_ECHO_LENGTH = 100;

    private HandOverAction() {}

    /**
     * Returns when the new leader has been named.
     *
     * @param to the id of the candidate; null for the candidate to which the leader would hand over
     * @throws InvalidEndpointRequestException if the leadership cannot go to that candidate
     * @throws NotLeaderException if there is no leader
     * @throws ElectionConnectionException if the leader has not handed over in time
     */
    static void run(ManagedElection election, @Nullable String to) {
        String id = to == null ? successor(election) : to;
        HandOver.Outcome outcome = election.handOver(id).outcome();
        switch (outcome) {
            case DONE -> {}
            case ALREADY_LEADS -> throw invalid("%s already leads %s".formatted(quote(id), name(election)));
            case NO_SUCH_CANDIDATE ->
                throw invalid("There is no candidate %s in %s".formatted(quote(id), name(election)));
            case AMBIGUOUS_CANDIDATE ->
                throw invalid(
                        "Several candidates of %s have the id %s. Give each instance its own (leader-election.candidate.id)"
                                .formatted(name(election), quote(id)));
            case NO_LEADER -> throw noLeader(election);
            case NOT_ANSWERED ->
                throw new ElectionConnectionException(
                        "The leader of %s has not handed over to %s in time".formatted(name(election), quote(id)));
        }
    }

    /** The heir, or the next in the queue if the leader has not chosen one yet. */
    private static String successor(ManagedElection election) {
        Electorate electorate = read(election);
        Candidate leader = electorate.leader().orElseThrow(() -> noLeader(election));
        return electorate
                .heir()
                .or(() -> electorate.candidates().stream()
                        .filter(candidate -> !candidate.equals(leader))
                        .findFirst())
                .map(Candidate::id)
                .orElseThrow(() -> invalid(name(election) + " has no other candidate"));
    }

    private static Electorate read(ManagedElection election) {
        try {
            return election.electorate().get(READ_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new ElectionConnectionException("ZooKeeper has not returned the candidates of %s within %s"
                    .formatted(name(election), READ_TIMEOUT));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ElectionConnectionException("Interrupted while reading the candidates");
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof ElectionException cause
                    ? cause
                    : new ElectionException("Cannot read the candidates of " + name(election), failed);
        }
    }

    private static NotLeaderException noLeader(Election election) {
        return new NotLeaderException("There is no leader that could hand over " + name(election));
    }

    private static InvalidEndpointRequestException invalid(String message) {
        return new InvalidEndpointRequestException(message, message);
    }

    private static String name(Election election) {
        return "election '%s'".formatted(election.name());
    }

    private static String quote(String id) {
        String line = OneLine.of(id);
        return "'%s'".formatted(line.length() > MAX_ECHO_LENGTH ? line.substring(0, MAX_ECHO_LENGTH) + "…" : line);
    }
}
