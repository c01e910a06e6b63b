package io.github.leaderelection.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import io.github.leaderelection.event.OnRevokedEvent;
import io.github.leaderelection.zookeeper.fixture.FreePort;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.context.ImportTestcontainers;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.test.annotation.DirtiesContext;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/** The starter on a ZooKeeper in a container, which is paused, killed and started again. */
@ZooKeeperImage.Required
@SpringBootTest(
        classes = ContainerIT.Shop.class,
        properties = {
            "leader-election.elections.orders=",
            "leader-election.zookeeper.session-timeout=4s",
            "leader-election.zookeeper.connection-timeout=30s"
        })
@ImportAutoConfiguration({ServiceConnectionAutoConfiguration.class, LeaderElectionAutoConfiguration.class})
@ImportTestcontainers(ContainerIT.Containers.class)
@DirtiesContext
class ContainerIT {

    private static final Duration BOUND = Duration.ofSeconds(60);

    /** The port is chosen here, since a container that is started again would get another one. */
    interface Containers {

        @ServiceConnection("zookeeper")
        GenericContainer<?> ZOOKEEPER = onPort(FreePort.pick());

        private static GenericContainer<?> onPort(int port) {
            GenericContainer<?> container = new GenericContainer<>(ZooKeeperImage.name())
                    .withExposedPorts(2181)
                    .waitingFor(Wait.forListeningPorts(2181));
            container.setPortBindings(List.of("%s:%d:2181".formatted(address(), port)));
            return container;
        }

        /** The address of the container engine, which is not loopback if the test itself runs in a container. */
        private static String address() {
            String host = DockerClientFactory.instance().dockerHostIpAddress();
            return host.equals("localhost") ? InetAddress.getLoopbackAddress().getHostAddress() : host;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {

        final List<OnRevokedEvent> revocations = new CopyOnWriteArrayList<>();

        @EventListener
        void revoked(OnRevokedEvent event) {
            revocations.add(event);
        }
    }

    @Autowired
    private Election election;

    @Autowired
    private Shop shop;

    @Autowired
    private ZooKeeperConnectionDetails details;

    @BeforeEach
    void lead() {
        await().atMost(BOUND).until(election::isLeader);
        shop.revocations.clear();
    }

    @Test
    void theAddressComesFromTheContainer() {
        assertThat(details.getConnectString())
                .isEqualTo("%s:%d".formatted(Containers.ZOOKEEPER.getHost(), Containers.ZOOKEEPER.getMappedPort(2181)));
    }

    @Test
    void aPausedServerCostsTheLeadershipAndItComesBack() {
        var docker = Containers.ZOOKEEPER.getDockerClient();
        docker.pauseContainerCmd(Containers.ZOOKEEPER.getContainerId()).exec();
        await().atMost(BOUND).until(() -> !election.isLeader());
        docker.unpauseContainerCmd(Containers.ZOOKEEPER.getContainerId()).exec();
        await().atMost(BOUND).until(election::isLeader);
        await().atMost(BOUND).untilAsserted(() -> assertThat(shop.revocations).isNotEmpty());
    }

    @Test
    void aKilledServerCostsTheLeadershipAndItComesBack() {
        var docker = Containers.ZOOKEEPER.getDockerClient();
        docker.killContainerCmd(Containers.ZOOKEEPER.getContainerId()).exec();
        await().atMost(BOUND).until(() -> !election.isLeader());
        docker.startContainerCmd(Containers.ZOOKEEPER.getContainerId()).exec();
        await().atMost(BOUND).until(election::isLeader);
        await().atMost(BOUND).untilAsserted(() -> assertThat(shop.revocations).hasSize(1));
    }
}
