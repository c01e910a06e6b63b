package io.github.leaderelection.sample.shop;

import io.github.leaderelection.Role;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What this instance knows about itself, without asking ZooKeeper.
 *
 * @param candidate its id, null while it takes part in no election
 * @param at when this was written
 * @param started when this process was: sequence numbers of events begin anew with it
 */
public record ShopStatus(
        @Nullable String candidate,
        long pid,
        Instant started,
        Instant at,
        List<Standing> elections,
        List<ElectionLog.Entry> events) {

    /**
     * What this instance is in one election.
     *
     * @param term the number of its current term, null unless it leads
     * @param fencingToken of that term
     * @param since when that term began
     * @param leaseMillis for how long it goes on leading without a renewal
     * @param executed calls of leader-only methods that were let through
     * @param skipped calls that were not, since this instance did not lead
     */
    public record Standing(
            String election,
            Role role,
            @Nullable Long term,
            @Nullable Long fencingToken,
            @Nullable Instant since,
            long leaseMillis,
            long executed,
            long skipped,
            @Nullable String error) {}
}
