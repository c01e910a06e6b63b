package io.github.leaderelection.soak;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** A log in ZooKeeper with a node for each write: its name has the token, its sequence is the order of the writes. */
final class ZooKeeperFence {

    static final String LOG = "/soak-log";

    private ZooKeeperFence() {}

    static FencedWriter.Fence of(SoakElection election, String candidate) {
        return term -> {
            ZooKeeper client = election.client();
            if (client == null) {
                return WriteOutcome.UNKNOWN;
            }
            Op entry = Op.create(
                    LOG + "/w-" + term.token() + "-",
                    candidate.getBytes(StandardCharsets.UTF_8),
                    ZooDefs.Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT_SEQUENTIAL);
            try {
                client.multi(List.of(term.guard(), entry));
                return WriteOutcome.ACCEPTED;
            } catch (KeeperException.NoNodeException refused) {
                return WriteOutcome.REFUSED;
            } catch (KeeperException failure) {
                return WriteOutcome.UNKNOWN;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return WriteOutcome.UNKNOWN;
            }
        };
    }

    /** The tokens of all accepted writes, in order. */
    static List<Long> accepted(List<String> entries) {
        return entries.stream()
                .sorted(Comparator.comparing(ElectionAdministrator::sequence))
                .map(name -> Long.parseLong(name.substring(2, name.lastIndexOf('-'))))
                .toList();
    }
}
