package io.github.leaderelection.autoconfigure.zookeeper;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.lifecycle.ElectionSettings;
import io.github.leaderelection.support.MisconfigurationException;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks that ZooKeeper permits everything that the configured elections need, and says what to do if it does not. */
final class StartupCheck {

    private final Map<String, String> paths;
    private final Supplier<@Nullable String> address;

    StartupCheck(List<ElectionSettings> configured, Supplier<@Nullable String> address) {
        this.paths = configured.stream().collect(Collectors.toMap(ElectionSettings::name, ElectionSettings::path));
        this.address = address;
    }

    /** @throws MisconfigurationException if ZooKeeper cannot be reached, or rejects an election */
    void run(ZooKeeperElections elections) {
        if (paths.isEmpty()) {
            return;
        }
        try {
            elections.preflight(paths);
        } catch (ElectionConnectionException unreachable) {
            throw new MisconfigurationException(
                    "%s cannot be used. %s%s".formatted(server(), sentence(unreachable), reason(unreachable)),
                    """
                    Do one of the following:
                     - Start ZooKeeper, or correct its address (leader-election.zookeeper.connect-string).
                     - If it is secured, check leader-election.zookeeper.auth.scheme, .auth.credentials and .ssl.bundle.
                     - To start without ZooKeeper, and join the elections once it is reachable, set leader-election.fail-fast to false.
                     - For development, set leader-election.zookeeper.embedded.enabled to true, or leader-election.mode to local.""",
                    unreachable);
        } catch (ElectionNotFoundException missing) {
            throw new MisconfigurationException(
                    "A node is missing in ZooKeeper. " + sentence(missing),
                    "Create the node, or correct its path: leader-election.elections.<name>.path, or the path at the end of"
                            + " leader-election.zookeeper.connect-string. To have the nodes of elections created, set"
                            + " leader-election.create-paths to true.",
                    missing);
        } catch (ElectionException rejected) {
            throw new MisconfigurationException(
                    "ZooKeeper rejects an operation that elections need. " + sentence(rejected),
                    "Check leader-election.zookeeper.auth.scheme and .credentials, leader-election.zookeeper.acl, and the"
                            + " ACL of the node, which has to permit reading, creating and deleting. Or use another node:"
                            + " leader-election.root, leader-election.elections.<name>.path.",
                    rejected);
        } catch (IllegalArgumentException timing) {
            throw new MisconfigurationException(
                    "The lease does not fit the session timeout. " + sentence(timing),
                    "Reduce leader-election.lease or leader-election.grace, or remove them, or increase maxSessionTimeout on the server.",
                    timing);
        }
    }

    private String server() {
        String known = address.get();
        return known == null ? "ZooKeeper" : "ZooKeeper at " + known;
    }

    /** A failure with a cause says why the server cannot be used; for others the server is probed. */
    private String reason(ElectionConnectionException unreachable) {
        String known = address.get();
        return known == null || unreachable.getCause() != null ? "" : " " + new ServerProbe().describe(known);
    }

    private static String sentence(Exception cause) {
        String message = String.valueOf(cause.getMessage());
        return message.endsWith("?") || message.endsWith(".") ? message : message + ".";
    }
}
