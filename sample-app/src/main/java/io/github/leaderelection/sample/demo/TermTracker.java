package io.github.leaderelection.sample.demo;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.sample.demo.History.Incarnation;
import io.github.leaderelection.sample.shop.ElectionLog;
import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which replica led which election, from when to when.
 *
 * <p>A term ends when the replica reports it. If the process is killed before that, the term ends with the process. If
 * the replica stops responding, the term ends with its last known lease, because {@code isLeader()} returns false from
 * then on.
 */
final class TermTracker {

    private static final Duration RETENTION = Duration.ofMinutes(10);

    /** Reasons that a replica may report only after its lease has expired. */
    private static final Set<String> REPORTED_LATE = Set.of(
            RevocationReason.CONNECTION_LOST.name(),
            RevocationReason.LEASE_EXPIRED.name(),
            RevocationReason.SESSION_EXPIRED.name());

    private final Map<Key, Term> terms = new HashMap<>();

    private record Key(Incarnation incarnation, String election, long number) {}

    /**
     * A term.
     *
     * @param leaseEnd end of the last known lease, null if none is known
     * @param until end of the term, null while the replica leads
     * @param end reason for the end, empty while the replica leads
     * @param cause why it was handed over, empty if it was not or if that is not known
     * @param inferred whether the end was inferred, not reported by the replica
     */
    record Term(
            String election,
            String replica,
            long fencingToken,
            Instant since,
            @Nullable Instant leaseEnd,
            @Nullable Instant until,
            String end,
            String cause,
            boolean inferred) {

        private Term renewed(Instant newLeaseEnd) {
            return new Term(election, replica, fencingToken, since, newLeaseEnd, null, "", "", false);
        }

        private Term reportedEnd(Instant at, String reason) {
            return new Term(election, replica, fencingToken, since, leaseEnd, at, reason, "", false);
        }

        private Term inferredEnd(Instant at, String reason) {
            return new Term(election, replica, fencingToken, since, leaseEnd, at, reason, "", true);
        }

        private Term handedOver(String why) {
            return new Term(election, replica, fencingToken, since, leaseEnd, until, end, why, inferred);
        }

        private Instant noLaterThanLease(Instant at) {
            return leaseEnd != null && leaseEnd.isBefore(at) ? leaseEnd : at;
        }

        private boolean overlaps(Term later) {
            return until == null || later.since().isBefore(until);
        }
    }

    void eventReceived(Incarnation incarnation, ElectionLog.Entry event) {
        Key key = new Key(incarnation, event.election(), event.term());
        if (event.type() == ElectionLog.Type.GRANTED) {
            begin(key, event.fencingToken(), event.at());
            removeEndedBefore(event.at().minus(RETENTION));
        } else if (event.type() == ElectionLog.Type.REVOKED) {
            String reason = event.detail();
            terms.computeIfPresent(
                    key,
                    (same, term) -> term.reportedEnd(
                            REPORTED_LATE.contains(reason) ? term.noLaterThanLease(event.at()) : event.at(), reason));
        }
    }

    private Term begin(Key key, long fencingToken, Instant since) {
        String replica = key.incarnation().replica();
        return terms.computeIfAbsent(
                key, same -> new Term(key.election(), replica, fencingToken, since, null, null, "", "", false));
    }

    void infoReceived(Incarnation incarnation, ElectionInfo info, Instant at) {
        Long number = info.term();
        Long token = info.fencingToken();
        Instant since = info.since();
        if (info.role() == Role.LEADER && number != null && token != null && since != null) {
            Key key = new Key(incarnation, info.election(), number);
            Term term = begin(key, token, since);
            Instant until = term.until();
            if (until == null || (term.inferred() && until.isBefore(at))) {
                terms.put(key, term.renewed(at.plusMillis(info.leaseMillis())));
            }
        }
    }

    /** Notes why the replica's last term of the election was handed over. */
    void moved(Incarnation incarnation, String election, String cause) {
        terms.entrySet().stream()
                .filter(entry -> entry.getKey().incarnation().equals(incarnation)
                        && entry.getKey().election().equals(election)
                        && entry.getValue().end().equals(RevocationReason.HANDED_OVER.name()))
                .max(Comparator.comparingLong(entry -> entry.getKey().number()))
                .ifPresent(entry -> entry.setValue(entry.getValue().handedOver(cause)));
    }

    void processExited(String replica, Instant at) {
        terms.replaceAll((key, term) -> term.replica().equals(replica) && term.until() == null
                ? term.inferredEnd(term.noLaterThanLease(at), "PROCESS_EXITED")
                : term);
    }

    void notResponding(String replica, Instant now) {
        terms.replaceAll((key, term) -> {
            Instant leaseEnd = term.leaseEnd();
            return term.replica().equals(replica) && term.until() == null && leaseEnd != null && leaseEnd.isBefore(now)
                    ? term.inferredEnd(leaseEnd, "LEASE_EXPIRED")
                    : term;
        });
    }

    private void removeEndedBefore(Instant time) {
        terms.values().removeIf(term -> term.until() != null && term.until().isBefore(time));
    }

    /** Returns all terms, oldest first. */
    List<Term> all() {
        return terms.values().stream()
                .sorted(Comparator.comparing(Term::since).thenComparingLong(Term::fencingToken))
                .toList();
    }

    /** Returns the number of pairs of terms of the same election that overlap. */
    long overlaps() {
        List<Term> all = all();
        long count = 0;
        for (int first = 0; first < all.size(); first++) {
            Term term = all.get(first);
            count += all.subList(first + 1, all.size()).stream()
                    .filter(later -> later.election().equals(term.election()) && term.overlaps(later))
                    .count();
        }
        return count;
    }
}
