package io.github.leaderelection.benchmarks.subject;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** Creates connected ZooKeeper clients. */
public final class Clients {

    private static final int TIMEOUT_SECONDS = 20;

    private Clients() {}

    public static ZooKeeper connect(String address, int sessionTimeoutMillis) {
        var connected = new CountDownLatch(1);
        try {
            var client = new ZooKeeper(address, sessionTimeoutMillis, event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                    connected.countDown();
                }
            });
            if (!connected.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("No connection to " + address);
            }
            return client;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    public static void close(ZooKeeper client) {
        try {
            client.close();
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    static CuratorFramework curator(String address, int sessionTimeoutMillis) {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(address)
                .sessionTimeoutMs(sessionTimeoutMillis)
                .connectionTimeoutMs(TIMEOUT_SECONDS * 1_000)
                .retryPolicy(new RetryOneTime(100))
                // It sets a watch that no election needs.
                .ensembleTracker(false)
                .build();
        client.start();
        try {
            if (!client.blockUntilConnected(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("No connection to " + address);
            }
            return client;
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    static IllegalStateException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IllegalStateException(cause);
    }
}
