package io.github.leaderelection.soak;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** A log in ZooKeeper: one node for each write, its name tells the token, its number the order of the writes. */
final class ZooKeeperFence {

    static final String LOG = "/soak-log";

    private ZooKeeperFence() {}

    static FencedWriter.Fence of(Contender contender, String who) {
        return term -> {
            ZooKeeper client = contender.client();
            if (client == null) {
                return Outcome.UNKNOWN;
            }
            Op entry = Op.create(
                    LOG + "/w-" + term.token() + "-",
                    who.getBytes(StandardCharsets.UTF_8),
                    ZooDefs.Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT_SEQUENTIAL);
            try {
                client.multi(List.of(term.guard(), entry));
                return Outcome.ACCEPTED;
            } catch (KeeperException.NoNodeException refused) {
                return Outcome.REFUSED;
            } catch (KeeperException trouble) {
                return Outcome.UNKNOWN;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Outcome.UNKNOWN;
            }
        };
    }

    /** Tokens of all writes that were accepted, in their order. */
    static List<Long> accepted(List<String> entries) {
        return entries.stream()
                .sorted(Comparator.comparing(Electorate::sequence))
                .map(name -> Long.parseLong(name.substring(2, name.lastIndexOf('-'))))
                .toList();
    }
}
