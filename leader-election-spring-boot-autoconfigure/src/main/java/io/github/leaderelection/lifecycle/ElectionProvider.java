package io.github.leaderelection.lifecycle;

import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.support.ManagedElection;
import java.util.concurrent.CompletableFuture;

/** Provides the elections of an application: on ZooKeeper, or inside this process. */
public interface ElectionProvider {

    ManagedElection open(ElectionSettings settings);

    /** The status of the connection that the elections use. */
    ConnectionStatus connection();

    /** Leaves all elections permanently, with the reason SHUTDOWN; completes when they have been handed over. */
    CompletableFuture<?> shutDown();
}
