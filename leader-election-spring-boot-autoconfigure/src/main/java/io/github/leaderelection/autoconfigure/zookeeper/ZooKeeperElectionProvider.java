package io.github.leaderelection.autoconfigure.zookeeper;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.lifecycle.ElectionProvider;
import io.github.leaderelection.lifecycle.ElectionSettings;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.support.MisconfigurationException;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Elections on ZooKeeper. The connection is made when the first election is opened; before that all configured ones, if
 * there are any, are rehearsed, so that whatever ZooKeeper would refuse fails the startup.
 */
final class ZooKeeperElectionProvider implements ElectionProvider {

    private final Supplier<ZooKeeperElections> connection;
    /** Where it leads to, for people. */
    private final Supplier<String> where;

    private final List<ElectionSettings> configured;
    private final boolean failFast;
    private final ReentrantLock rehearsal = new ReentrantLock();
    private volatile @Nullable ZooKeeperElections elections;
    private boolean rehearsed;

    ZooKeeperElectionProvider(
            Supplier<ZooKeeperElections> connection,
            Supplier<String> where,
            List<ElectionSettings> configured,
            boolean failFast) {
        this.connection = connection;
        this.where = where;
        this.configured = configured;
        this.failFast = failFast;
    }

    @Override
    public Election open(ElectionSettings settings) {
        ZooKeeperElections connected = connected();
        if (failFast && !configured.isEmpty()) {
            rehearseOnce(connected);
        }
        return connected.election(settings.name(), settings.path(), settings.observe());
    }

    private synchronized ZooKeeperElections connected() {
        ZooKeeperElections connected = elections;
        if (connected == null) {
            connected = connection.get();
            elections = connected;
        }
        return connected;
    }

    /** It takes as long as ZooKeeper does, so a shutdown must not have to wait for this lock. */
    private void rehearseOnce(ZooKeeperElections connected) {
        rehearsal.lock();
        try {
            if (!rehearsed) {
                rehearse(connected);
                rehearsed = true;
            }
        } finally {
            rehearsal.unlock();
        }
    }

    private void rehearse(ZooKeeperElections connected) {
        Map<String, String> paths =
                configured.stream().collect(Collectors.toMap(ElectionSettings::name, ElectionSettings::path));
        try {
            connected.rehearse(paths);
        } catch (ElectionConnectionException unreachable) {
            throw new MisconfigurationException(
                    "ZooKeeper%s cannot be used. %s".formatted(where.get(), sentence(unreachable)), """
                    Do one of these:
                     - start ZooKeeper, or correct its address (leader-election.zookeeper.connect-string)
                     - where it is secured, check leader-election.zookeeper.auth.scheme, .auth.credentials and .ssl.bundle
                     - to start without it and join the elections when it comes, set leader-election.fail-fast to false
                     - for development, set leader-election.zookeeper.embedded.enabled to true, or leader-election.mode to local""", unreachable);
        } catch (ElectionNotFoundException missing) {
            throw new MisconfigurationException(
                    "A node is missing in ZooKeeper. " + sentence(missing),
                    "Create the node, or correct its path: leader-election.elections.<name>.path, or what"
                            + " leader-election.zookeeper.connect-string ends with. For nodes of elections"
                            + " leader-election.create-paths can be set to true.",
                    missing);
        } catch (ElectionException refused) {
            throw new MisconfigurationException(
                    "ZooKeeper refuses what an election needs. " + sentence(refused),
                    "Check leader-election.zookeeper.auth.scheme and .credentials, leader-election.zookeeper.acl, and the"
                            + " ACL of the node: it takes the permissions to read, create and delete. Or choose another"
                            + " node: leader-election.root, leader-election.elections.<name>.path.",
                    refused);
        } catch (IllegalArgumentException timing) {
            throw new MisconfigurationException(
                    "The timing does not fit. " + sentence(timing),
                    "Make leader-election.lease shorter, or leave it unset; or allow longer sessions on the server"
                            + " (maxSessionTimeout).",
                    timing);
        }
    }

    private static String sentence(Exception cause) {
        String message = String.valueOf(cause.getMessage());
        return message.endsWith("?") || message.endsWith(".") ? message : message + ".";
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
