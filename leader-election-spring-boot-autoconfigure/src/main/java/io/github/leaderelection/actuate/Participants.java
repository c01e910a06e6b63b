package io.github.leaderelection.actuate;

import io.github.leaderelection.Election;
import io.github.leaderelection.support.Lineup;
import io.github.leaderelection.support.ManagedElection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads who takes part in an election. An answer comes in any case: operators ask most when ZooKeeper is in trouble. */
final class Participants {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    Descriptors.Details of(Election election) {
        try {
            Lineup lineup = read(election).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return Descriptors.Details.of(state(election), lineup);
        } catch (TimeoutException late) {
            return unread(election, "ZooKeeper has not told within %s who takes part".formatted(PATIENCE));
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause() != null ? failed.getCause() : failed;
            return unread(election, String.valueOf(cause.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return unread(election, "Interrupted while reading who takes part");
        }
    }

    private static CompletableFuture<Lineup> read(Election election) {
        return election instanceof ManagedElection managed
                ? managed.lineup()
                : CompletableFuture.supplyAsync(() -> new Lineup(election.leader(), election.candidates()));
    }

    private static Descriptors.Details unread(Election election, String error) {
        return Descriptors.Details.unread(state(election), error);
    }

    /** Looked at only after reading, so that it shows what has been done before. */
    private static Descriptors.State state(Election election) {
        return Descriptors.State.of(election.status());
    }
}
