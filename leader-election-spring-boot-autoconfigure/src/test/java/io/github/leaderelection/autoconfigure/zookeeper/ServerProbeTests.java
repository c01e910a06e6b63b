package io.github.leaderelection.autoconfigure.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerProbeTests {

    private static final String SERVERS = "zk1.example:2181,zk2.example:2181/shop";

    @Test
    void reportsAnUnknownHost() {
        var probe =
                new ServerProbe(server -> InetSocketAddress.createUnresolved(server.getHostString(), server.getPort()));
        assertThat(probe.describe(SERVERS)).isEqualTo("The host zk1.example is unknown.");
    }

    @Test
    void doesNotWaitForANameServiceThatDoesNotRespond() {
        var never = new CountDownLatch(1);
        var probe = new ServerProbe(server -> {
            try {
                never.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return server;
        });
        assertThat(probe.describe(SERVERS)).contains("zk1.example could not be resolved in time", "DNS");
        assertThat(never.getCount()).as("it is still being resolved").isEqualTo(1);
        never.countDown();
    }

    @Test
    void reportsAPortThatRefusesConnections() {
        TestServer stopped = new TestServer();
        stopped.stop();
        assertThat(new ServerProbe().describe(stopped.address()))
                .isEqualTo(stopped.address() + " does not accept connections.");
        stopped.close();
    }
}
