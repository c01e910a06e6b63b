package io.github.leaderelection.autoconfigure.zookeeper;

import io.github.leaderelection.lifecycle.ElectionProvider;
import io.github.leaderelection.lifecycle.ElectionSettings;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Provides elections on ZooKeeper. Connects when the first election is opened, and then checks all configured elections, so
 * that any problem fails the startup.
 */
final class ZooKeeperElectionProvider implements ElectionProvider {

    private final Supplier<ZooKeeperElections> connection;
    private final StartupCheck startupCheck;
    private final boolean failFast;
    private final ReentrantLock checking = new ReentrantLock();
    private volatile @Nullable ZooKeeperElections elections;
    private boolean checked;

    /** @param address returns the address of ZooKeeper, for messages; null if it is unknown */
    ZooKeeperElectionProvider(
            Supplier<ZooKeeperElections> connection,
            Supplier<@Nullable String> address,
            List<ElectionSettings> configured,
            boolean failFast) {
        this.connection = connection;
        this.startupCheck = new StartupCheck(configured, address);
        this.failFast = failFast;
    }

    @Override
    public ManagedElection open(ElectionSettings settings) {
        ZooKeeperElections connected = connect();
        if (failFast) {
            checkOnce(connected);
        }
        return ManagedElection.of(connected.election(
                settings.name(),
                settings.path(),
                options -> options.observe(settings.observe())
                        .shared(settings.shared())
                        .priority(settings.priority())
                        .drainTimeout(settings.drainTimeout())));
    }

    private synchronized ZooKeeperElections connect() {
        ZooKeeperElections connected = elections;
        if (connected == null) {
            connected = connection.get();
            elections = connected;
        }
        return connected;
    }

    /** Has a lock of its own, because the check may take long and a shutdown must not wait for it. */
    private void checkOnce(ZooKeeperElections connected) {
        checking.lock();
        try {
            if (!checked) {
                startupCheck.run(connected);
                checked = true;
            }
        } finally {
            checking.unlock();
        }
    }

    @Override
    public ConnectionStatus connection() {
        ZooKeeperElections connected = elections;
        return connected == null ? ConnectionStatus.UNUSED : connected.connection();
    }

    @Override
    public synchronized CompletableFuture<?> shutDown() {
        return elections == null ? CompletableFuture.completedFuture(null) : elections.shutDown();
    }
}
