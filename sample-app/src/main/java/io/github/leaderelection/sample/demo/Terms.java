package io.github.leaderelection.sample.demo;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.sample.demo.Story.Narrator;
import io.github.leaderelection.sample.shop.ElectionLog;
import io.github.leaderelection.sample.shop.ShopStatus.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who led which election from when to when.
 *
 * <p>A term ends when the replica says so. If it cannot, since its process was killed, it ends with the process; if it
 * is not heard from, it ends with the lease that it was last seen to have: from then on its {@code isLeader()} is false.
 */
final class Terms {

    private static final Duration MEMORY = Duration.ofMinutes(10);

    /** Who loses a term in one of these ways may tell it late: the lease was over before. */
    private static final Set<String> LAPSES =
            Set.of(RevocationReason.CONNECTION_LOST.name(), RevocationReason.SESSION_EXPIRED.name());

    private final Map<Key, Term> terms = new HashMap<>();

    private record Key(Narrator narrator, String election, long number) {}

    /**
     * One term.
     *
     * @param leaseEnd the end of the lease as last seen; null if it never was
     * @param until null while it lasts
     * @param end how it ended; empty while it lasts
     * @param presumed whether the end was concluded, not told
     */
    record Term(
            String election,
            String replica,
            long fencingToken,
            Instant since,
            @Nullable Instant leaseEnd,
            @Nullable Instant until,
            String end,
            boolean presumed) {

        private Term renewed(Instant newLeaseEnd) {
            return new Term(election, replica, fencingToken, since, newLeaseEnd, null, "", false);
        }

        private Term ended(Instant at, String how, boolean onlyPresumed) {
            return new Term(election, replica, fencingToken, since, leaseEnd, at, how, onlyPresumed);
        }

        /** Not later than the end of the lease. */
        private Instant atMost(Instant at) {
            return leaseEnd != null && leaseEnd.isBefore(at) ? leaseEnd : at;
        }

        private boolean overlaps(Term later) {
            return until == null || later.since().isBefore(until);
        }
    }

    void heard(Narrator narrator, ElectionLog.Entry event) {
        Key key = new Key(narrator, event.election(), event.term());
        if (event.type() == ElectionLog.Type.GRANTED) {
            begin(key, event.fencingToken(), event.at());
            forget(event.at().minus(MEMORY));
        } else if (event.type() == ElectionLog.Type.REVOKED) {
            String reason = event.detail();
            terms.computeIfPresent(
                    key,
                    (same, term) ->
                            term.ended(LAPSES.contains(reason) ? term.atMost(event.at()) : event.at(), reason, false));
        }
    }

    private Term begin(Key key, long fencingToken, Instant since) {
        String replica = key.narrator().replica();
        return terms.computeIfAbsent(
                key, same -> new Term(key.election(), replica, fencingToken, since, null, null, "", false));
    }

    void seen(Narrator narrator, Standing standing, Instant at) {
        Long number = standing.term();
        Long token = standing.fencingToken();
        Instant since = standing.since();
        if (standing.role() == Role.LEADER && number != null && token != null && since != null) {
            Key key = new Key(narrator, standing.election(), number);
            Term term = begin(key, token, since);
            Instant until = term.until();
            if (until == null || (term.presumed() && until.isBefore(at))) {
                terms.put(key, term.renewed(at.plusMillis(standing.leaseMillis())));
            }
        }
    }

    void processEnded(String replica, Instant at) {
        terms.replaceAll((key, term) -> term.replica().equals(replica) && term.until() == null
                ? term.ended(term.atMost(at), "PROCESS_ENDED", true)
                : term);
    }

    void notHeardFrom(String replica, Instant now) {
        terms.replaceAll((key, term) -> {
            Instant lease = term.leaseEnd();
            return term.replica().equals(replica) && term.until() == null && lease != null && lease.isBefore(now)
                    ? term.ended(lease, "LEASE_OVER", true)
                    : term;
        });
    }

    private void forget(Instant before) {
        terms.values().removeIf(term -> term.until() != null && term.until().isBefore(before));
    }

    List<Term> all() {
        return terms.values().stream()
                .sorted(Comparator.comparing(Term::since).thenComparingLong(Term::fencingToken))
                .toList();
    }

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
