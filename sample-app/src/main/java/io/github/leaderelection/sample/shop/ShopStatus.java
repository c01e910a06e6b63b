package io.github.leaderelection.sample.shop;

import io.github.leaderelection.Role;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Status of this instance, from local knowledge only: ZooKeeper is not queried.
 *
 * @param candidate candidate id of this instance, null while it takes part in no election
 * @param started when this process started; the sequence numbers of events restart with the process
 * @param at when this status was created
 */
public record ShopStatus(
        @Nullable String candidate,
        long pid,
        Instant started,
        Instant at,
        List<ElectionInfo> elections,
        List<ElectionLog.Entry> events) {

    /**
     * State of this instance in one election.
     *
     * @param term number of the current term, null unless this instance is the leader
     * @param fencingToken fencing token of the current term
     * @param since when the current term began
     * @param leaseMillis remaining time of the lease
     * @param executed number of calls of leader-only methods that were executed
     * @param skipped number of calls that were skipped because this instance was not the leader
     * @param moves how often this instance has handed the election to an instance that was chosen, by cause
     */
    public record ElectionInfo(
            String election,
            Role role,
            @Nullable Long term,
            @Nullable Long fencingToken,
            @Nullable Instant since,
            long leaseMillis,
            long executed,
            long skipped,
            Map<String, Long> moves,
            @Nullable String error) {}
}
