package io.github.leaderelection.lifecycle;

import io.github.leaderelection.Election;
import io.github.leaderelection.support.ConnectionStatus;
import java.util.concurrent.CompletableFuture;

/** Where an application's elections come from. */
public interface ElectionProvider {

    Election open(ElectionSettings settings);

    /** How the connection is that the elections use. */
    ConnectionStatus connection();

    /** Leaves all of its elections for good, with the reason SHUTDOWN; completes when they are handed over. */
    CompletableFuture<?> shutDown();
}
