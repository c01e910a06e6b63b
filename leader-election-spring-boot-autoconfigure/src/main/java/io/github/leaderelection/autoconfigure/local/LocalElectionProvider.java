package io.github.leaderelection.autoconfigure.local;

import io.github.leaderelection.lifecycle.ElectionProvider;
import io.github.leaderelection.lifecycle.ElectionSettings;
import io.github.leaderelection.local.LocalElections;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.support.ManagedElection;
import java.util.concurrent.CompletableFuture;

/** Provides elections inside this process. */
record LocalElectionProvider(LocalElections elections) implements ElectionProvider {

    @Override
    public ManagedElection open(ElectionSettings settings) {
        return ManagedElection.of(elections.election(
                settings.name(), settings.path(), settings.observe(), settings.drainTimeout(), settings.priority()));
    }

    @Override
    public ConnectionStatus connection() {
        return ConnectionStatus.LOCAL;
    }

    @Override
    public CompletableFuture<?> shutDown() {
        return elections.shutDown();
    }
}
