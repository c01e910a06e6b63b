package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionContract;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The contract of all elections, on a real ZooKeeper server. */
class ZooKeeperElectionContractTests extends ElectionContract {

    private static TestServer server;
    private static final AtomicInteger TESTS = new AtomicInteger();
    private final List<ZooKeeperElections> opened = new ArrayList<>();
    /** Each test has its own: below a node from which an election was deleted, the next leader has to wait. */
    private final String folder = "/contract-" + TESTS.incrementAndGet();

    private ZooKeeper client;

    @BeforeAll
    static void startServer() {
        server = new TestServer();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void connect() {
        client = server.connect(Duration.ofSeconds(20));
    }

    @AfterEach
    void disconnect() throws InterruptedException {
        opened.forEach(ZooKeeperElections::close);
        client.close();
    }

    @Override
    protected Election open(String name, Duration drainTimeout) {
        var options =
                ElectionOptions.defaults().candidate("me", Map.of("zone", "a")).drainTimeout(drainTimeout);
        var elections = ZooKeeperElections.over(client, options);
        opened.add(elections);
        return elections.election(name, folder + "/" + name);
    }
}
