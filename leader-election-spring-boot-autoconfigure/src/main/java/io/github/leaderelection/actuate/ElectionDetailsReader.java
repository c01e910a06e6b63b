package io.github.leaderelection.actuate;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.Role;
import io.github.leaderelection.actuate.ElectionDescriptors.ElectionDescriptor;
import io.github.leaderelection.actuate.ElectionDescriptors.ElectionDetailsDescriptor;
import io.github.leaderelection.support.Electorate;
import io.github.leaderelection.support.ManagedElection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads the details of an election. Always returns a result in time, because it is most needed while ZooKeeper fails. */
final class ElectionDetailsReader {

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(1);
    /** Shorter, so that there is time to read once more: a contradiction may last, for instance until a lease ends. */
    private static final Duration CONSISTENCY_TIMEOUT = Duration.ofMillis(500);

    private static final long FIRST_PAUSE_MILLIS = 5;

    ElectionDetailsDescriptor read(ManagedElection election) {
        return read(election, CONSISTENCY_TIMEOUT);
    }

    /** Reads an election that is being left, whose status and candidates contradict each other until that is done. */
    ElectionDetailsDescriptor readWhileLeaving(ManagedElection election) {
        return read(election, Duration.ZERO);
    }

    /** @param consistencyTimeout how long to wait for status and candidates to be consistent */
    private static ElectionDetailsDescriptor read(ManagedElection election, Duration consistencyTimeout) {
        try {
            return readConsistently(election, consistencyTimeout);
        } catch (TimeoutException late) {
            return unavailable(election, "ZooKeeper has not returned the candidates within %s".formatted(READ_TIMEOUT));
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause() != null ? failed.getCause() : failed;
            return unavailable(election, String.valueOf(cause.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return unavailable(election, "Interrupted while reading the candidates");
        }
    }

    /** Reads as soon as this instance has joined the queue, if it is about to join, or else after the deadline. */
    ElectionDetailsDescriptor readOnceJoined(ManagedElection election, long deadline) {
        try {
            for (long pause = FIRST_PAUSE_MILLIS; isJoining(election) && remaining(deadline) > 0; pause *= 2) {
                pause(pause, deadline);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return read(election);
    }

    private static boolean isJoining(ManagedElection election) {
        ElectionStatus status = election.status();
        return status.role() == Role.CANDIDATE
                && status.candidate().isEmpty()
                && status.error().isEmpty()
                && election.gauges().connected();
    }

    /** Status and candidates come from different sources, so both are read again if they contradict each other. */
    private static ElectionDetailsDescriptor readConsistently(ManagedElection election, Duration timeout)
            throws InterruptedException, ExecutionException, TimeoutException {
        long deadline = deadline(READ_TIMEOUT);
        long consistencyDeadline = deadline(timeout);
        for (long pause = FIRST_PAUSE_MILLIS; ; pause *= 2) {
            ElectionStatus before = election.status();
            Electorate electorate = election.electorate().get(Math.max(remaining(deadline), 0), TimeUnit.NANOSECONDS);
            // Taken after reading, so that it includes everything that happened before.
            ElectionStatus status = election.status();
            if (isUnchanged(before, status) && isConsistent(status, electorate)
                    || remaining(consistencyDeadline) <= 0) {
                return ElectionDetailsDescriptor.of(ElectionDescriptor.of(status), electorate);
            }
            pause(pause, consistencyDeadline);
        }
    }

    private static boolean isUnchanged(ElectionStatus before, ElectionStatus after) {
        return before.role() == after.role() && before.candidate().equals(after.candidate());
    }

    private static boolean isConsistent(ElectionStatus status, Electorate electorate) {
        Optional<Candidate> self = status.candidate();
        boolean leads = self.isPresent()
                && electorate
                        .leader()
                        .filter(leader -> isSame(leader, self.get()))
                        .isPresent();
        return leads == (status.role() == Role.LEADER)
                && self.stream().allMatch(candidate -> isListed(candidate, electorate))
                && electorate.leader().stream().allMatch(leader -> isListed(leader, electorate));
    }

    private static boolean isListed(Candidate candidate, Electorate electorate) {
        return electorate.candidates().stream().anyMatch(listed -> isSame(listed, candidate));
    }

    /** Several candidates may have the same id, but not the same place in the queue. */
    private static boolean isSame(Candidate one, Candidate other) {
        return one.sequence() == other.sequence() && one.since().equals(other.since());
    }

    private static long deadline(Duration timeout) {
        return System.nanoTime() + timeout.toNanos();
    }

    private static long remaining(long deadline) {
        return deadline - System.nanoTime();
    }

    private static void pause(long millis, long deadline) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.min(TimeUnit.MILLISECONDS.toNanos(millis), remaining(deadline)));
    }

    private static ElectionDetailsDescriptor unavailable(ManagedElection election, String error) {
        return ElectionDetailsDescriptor.unavailable(ElectionDescriptor.of(election.status()), error);
    }
}
