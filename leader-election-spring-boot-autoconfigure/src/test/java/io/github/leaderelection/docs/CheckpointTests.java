package io.github.leaderelection.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.zookeeper.ElectionOptions;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

class CheckpointTests {

    @Test
    void aWriteOfAFormerLeaderFails() throws Exception {
        try (TestServer server = new TestServer();
                ZooKeeper zooKeeper = new ZooKeeper(server.address(), 10_000, event -> {});
                ZooKeeperElections elections = ZooKeeperElections.over(
                        watcher -> new ZooKeeper(server.address(), 10_000, watcher), ElectionOptions.defaults())) {
            for (String path : new String[] {"/import", "/import/position"}) {
                zooKeeper.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
            Election election = elections.election("import", "/elections/import");
            election.nominate();
            await().until(election::isLeader);
            Leadership term = election.leadership().orElseThrow();
            Checkpoint checkpoint = new Checkpoint(zooKeeper);

            checkpoint.save("7".getBytes(UTF_8), term);
            election.withdraw();
            assertThatThrownBy(() -> checkpoint.save("8".getBytes(UTF_8), term))
                    .isInstanceOf(KeeperException.NoNodeException.class);
            assertThat(zooKeeper.getData("/import/position", false, null))
                    .asString(UTF_8)
                    .isEqualTo("7");
        }
    }
}
