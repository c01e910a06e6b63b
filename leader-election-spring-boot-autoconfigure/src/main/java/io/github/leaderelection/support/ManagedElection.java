package io.github.leaderelection.support;

import io.github.leaderelection.Election;
import io.github.leaderelection.LeaderOnly.WhenRevoked;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An election with the operations that its integration into an application needs, in addition to the public API. */
public interface ManagedElection extends Election {

    /** Returns the election if it is managed; otherwise, as for a mock or the application's bean, an adapter. */
    static ManagedElection of(Election election) {
        return election instanceof ManagedElection managed ? managed : new UnmanagedElectionAdapter(election);
    }

    /**
     * Admits leader-only work; returns null if this process does not lead, unless the calling thread runs such work already.
     * A hand-over waits for the work until the permit is closed, which may happen on any thread.
     *
     * @param name describes the work in the log; evaluated only if the work does not end in time
     */
    LeaderWork.@Nullable Permit admit(WhenRevoked whenRevoked, Supplier<String> name);

    /**
     * Gives up the given term because work that has to run for it has failed, as if a listener had thrown an exception
     * when it was granted. Has no effect if the term is over.
     */
    void refuse(Leadership term);

    /**
     * Leaves the queue for the given reason and returns at once. The future completes when the node is gone, with whether
     * that has been confirmed. Has no effect if this process is not a candidate.
     */
    CompletableFuture<Boolean> withdraw(RevocationReason reason);

    /** Calls back once the election has been closed and its last event has been delivered; at once if it already has. */
    void whenClosed(Runnable action);

    /** Reads the candidates from ZooKeeper, and returns at once. */
    CompletableFuture<Electorate> electorate();

    ElectionGauges gauges();

    void addMonitor(ElectionMonitor monitor);
}
