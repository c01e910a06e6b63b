package io.github.leaderelection.actuate;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.Electorate;
import io.github.leaderelection.support.ManagedElection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads who takes part in an election. An answer comes in any case: operators ask most when ZooKeeper is in trouble. */
final class ElectionDetailsReader {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    /** Less than that for reading: both together are to take less than two seconds. */
    private static final Duration PATIENCE_FOR_JOINING = Duration.ofMillis(800);

    private static final long FIRST_PAUSE = 5;

    ElectionDescriptors.Details of(Election election) {
        try {
            return read(election);
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

    /** As soon as this instance has its place in the queue, if it is to have one and ZooKeeper is there to give it. */
    ElectionDescriptors.Details onceJoined(Election election) {
        long deadline = deadline(PATIENCE_FOR_JOINING);
        try {
            for (long pause = FIRST_PAUSE; isJoining(election) && left(deadline) > 0; pause *= 2) {
                pause(pause, deadline);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return of(election);
    }

    private static boolean isJoining(Election election) {
        ElectionStatus status = election.status();
        return status.role() == Role.CANDIDATE
                && status.candidate().isEmpty()
                && status.error().isEmpty()
                && (!(election instanceof ManagedElection managed)
                        || managed.gauges().connected());
    }

    /**
     * Status and candidates come from different places. If something changes in between they contradict each other, and
     * both are read again.
     */
    private static ElectionDescriptors.Details read(Election election)
            throws InterruptedException, ExecutionException, TimeoutException {
        long deadline = deadline(PATIENCE);
        for (long pause = FIRST_PAUSE; ; pause *= 2) {
            ElectionStatus before = election.status();
            Electorate electorate = electorate(election).get(Math.max(left(deadline), 0), TimeUnit.NANOSECONDS);
            // Looked at after reading, so that it shows what has been done before.
            ElectionStatus status = election.status();
            if (isUnchanged(before, status) && agree(status, electorate) || left(deadline) <= 0) {
                return ElectionDescriptors.Details.of(ElectionDescriptors.State.of(status), electorate);
            }
            pause(pause, deadline);
        }
    }

    private static CompletableFuture<Electorate> electorate(Election election) {
        return election instanceof ManagedElection managed
                ? managed.electorate()
                : CompletableFuture.supplyAsync(() -> new Electorate(election.leader(), election.candidates()));
    }

    private static boolean isUnchanged(ElectionStatus before, ElectionStatus after) {
        return before.role() == after.role() && before.candidate().equals(after.candidate());
    }

    private static boolean agree(ElectionStatus status, Electorate electorate) {
        Optional<Candidate> self = status.candidate();
        boolean leads = self.isPresent()
                && electorate
                        .leader()
                        .filter(leader -> same(leader, self.get()))
                        .isPresent();
        return leads == (status.role() == Role.LEADER)
                && self.stream().allMatch(candidate -> isListed(candidate, electorate))
                && electorate.leader().stream().allMatch(leader -> isListed(leader, electorate));
    }

    private static boolean isListed(Candidate candidate, Electorate electorate) {
        return electorate.candidates().stream().anyMatch(listed -> same(listed, candidate));
    }

    /** No two have the same token, while any number may have the same name. */
    private static boolean same(Candidate one, Candidate other) {
        return one.fencingToken() == other.fencingToken();
    }

    private static long deadline(Duration patience) {
        return System.nanoTime() + patience.toNanos();
    }

    private static long left(long deadline) {
        return deadline - System.nanoTime();
    }

    private static void pause(long millis, long deadline) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.min(TimeUnit.MILLISECONDS.toNanos(millis), left(deadline)));
    }

    private static ElectionDescriptors.Details unread(Election election, String error) {
        return ElectionDescriptors.Details.unread(ElectionDescriptors.State.of(election.status()), error);
    }
}
