package io.github.leaderelection.support;

import io.github.leaderelection.Election;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.RevocationReason;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What those need who run elections for others: more than the users of an {@link Election} do. */
public interface ManagedElection extends Election {

    /**
     * Admits leader-only work, or returns null if this process does not lead. Until the permit is closed, on whatever
     * thread, a hand-over waits for the work.
     */
    LeaderWork.@Nullable Permit admit();

    /**
     * Leaves the queue for that reason and returns at once; completes when the node is gone, with whether that is
     * certain. Nothing happens if this process takes no part.
     */
    CompletableFuture<Boolean> withdraw(RevocationReason reason);

    /** Calls back once it is closed, at once if it is already; after its last event, where events are delivered. */
    void whenClosed(Runnable action);

    /** Who takes part, read from ZooKeeper; returns at once. */
    CompletableFuture<Electorate> electorate();

    ElectionGauges gauges();

    void addMonitor(ElectionMonitor monitor);
}
