package io.github.leaderelection.autoconfigure;

import static io.github.leaderelection.autoconfigure.Instances.election;
import static io.github.leaderelection.autoconfigure.Instances.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.Role;
import io.github.leaderelection.event.OnGrantedEvent;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import io.github.leaderelection.zookeeper.ZooKeeperSessions;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;

/** Complete applications with a real ZooKeeper. */
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ApplicationTests {

    /** An application that refuses traffic withdraws after a short delay. */
    private static final Duration LONGER_THAN_DELAY = Duration.ofSeconds(1);

    private static TestServer server;

    private String root;
    private Instances instances;

    @BeforeAll
    static void startServer() {
        server = new TestServer();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void prepare(TestInfo test) {
        root = "/" + test.getTestMethod().orElseThrow().getName();
        instances = new Instances(
                "leader-election.zookeeper.connect-string=" + server.address(),
                "leader-election.root=" + root,
                "leader-election.elections.orders=");
    }

    @AfterEach
    void closeAll() {
        instances.close();
    }

    private List<String> nodes(String path) throws Exception {
        ZooKeeper administrator = server.connect(Duration.ofSeconds(5));
        try {
            return administrator.exists(path, false) == null ? List.of() : administrator.getChildren(path, false);
        } finally {
            administrator.close();
        }
    }

    @Test
    void nextInstanceTakesOverWhenLeaderIsClosed() {
        ConfigurableApplicationContext first = instances.start();
        await().until(() -> election(first, "orders").isLeader());
        ConfigurableApplicationContext second = instances.start();
        ConfigurableApplicationContext third = instances.start();
        await().until(() -> election(second, "orders").role() == Role.FOLLOWER
                && election(third, "orders").role() == Role.FOLLOWER);
        assertThat(election(third, "orders").candidates())
                .extracting(Candidate::id)
                .containsExactly("instance-1", "instance-2", "instance-3");

        Instances.EventLog events = log(first);
        first.close();

        await().until(() -> election(second, "orders").isLeader());
        assertThat(events.events()).containsExactly("orders granted 1", "orders revoked 1 SHUTDOWN");
        await().untilAsserted(() -> assertThat(log(second).events()).containsExactly("orders granted 1"));
        assertThat(log(third).events()).isEmpty();
    }

    @Test
    void joinsWhenApplicationIsReady() {
        ConfigurableApplicationContext context =
                instances.with(BeforeReady.class).start();
        await().until(() -> election(context, "orders").isLeader());
        assertThat(context.getBean(BeforeReady.class).roles).containsExactly(Role.OBSERVER);
    }

    @Test
    void waitingForLeadershipBeforeThatFailsTheStartup() {
        instances.with(AwaitsLeadership.class);
        assertThatThrownBy(instances::start)
                .hasStackTraceContaining("has not joined election 'orders' yet")
                .hasStackTraceContaining("ApplicationReadyEvent");
    }

    @Test
    void failedStartupLeavesNothingBehind() throws Exception {
        instances.with(FailsWhenReady.class);
        assertThatThrownBy(instances::start).hasMessageContaining("not today");
        assertThat(nodes(root + "/orders")).doesNotContain("leader").isEmpty();
        await().untilAsserted(() -> assertThat(nodes(root + "/.beats")).isEmpty());
    }

    @Test
    void stoppedContextLeavesAndJoinsAgainWhenStarted() throws Exception {
        ConfigurableApplicationContext context = instances.start();
        await().until(() -> election(context, "orders").isLeader());
        Election election = election(context, "orders");

        context.stop();
        assertThat(election.role()).isEqualTo(Role.OBSERVER);
        assertThat(nodes(root + "/orders")).containsExactly("leader");

        context.start();
        await().untilAsserted(() -> assertThat(log(context).events())
                .startsWith("orders granted 1", "orders revoked 1 SHUTDOWN", "orders granted 2"));
    }

    @Test
    void withdrawsWhileApplicationRefusesTraffic() {
        ConfigurableApplicationContext context = instances.start("leader-election.leave-when-not-ready=true");
        Election election = election(context, "orders");
        await().until(election::isLeader);

        AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
        await().until(() -> election.role() == Role.OBSERVER);

        AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
        await().until(election::isLeader);
        await().untilAsserted(() -> assertThat(log(context).events())
                .containsExactly("orders granted 1", "orders revoked 1 NOT_READY", "orders granted 2"));
    }

    @Test
    void readinessOfOtherContextsIsIgnored() {
        ConfigurableApplicationContext context = instances.start("leader-election.leave-when-not-ready=true");
        Election election = election(context, "orders");
        await().until(election::isLeader);

        AvailabilityChangeEvent.publish(context, new GenericApplicationContext(), ReadinessState.REFUSING_TRAFFIC);
        await().during(LONGER_THAN_DELAY).until(election::isLeader);

        AvailabilityChangeEvent.publish(context, "a check of the disk", ReadinessState.REFUSING_TRAFFIC);
        await().until(() -> election.role() == Role.OBSERVER);
        AvailabilityChangeEvent.publish(context, "a check of the disk", ReadinessState.ACCEPTING_TRAFFIC);
        await().until(election::isLeader);
    }

    @Test
    void readinessDoesNotRevertSeparateWithdrawal() {
        ConfigurableApplicationContext context =
                instances.start("leader-election.leave-when-not-ready=true", "leader-election.elections.billing=");
        Election election = election(context, "orders");
        Election other = election(context, "billing");
        await().until(() -> election.isLeader() && other.isLeader());
        election.withdraw();

        AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
        await().until(() -> other.role() == Role.OBSERVER);
        AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
        await().until(other::isLeader);

        assertThat(election.role()).isEqualTo(Role.OBSERVER);
    }

    @Test
    void readinessDoesNotRevertSeparateWithdrawalWhileTrafficIsRefused() {
        ConfigurableApplicationContext context =
                instances.start("leader-election.leave-when-not-ready=true", "leader-election.elections.billing=");
        Election election = election(context, "orders");
        Election other = election(context, "billing");
        await().until(() -> election.isLeader() && other.isLeader());

        AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
        await().until(() -> election.role() == Role.OBSERVER && other.role() == Role.OBSERVER);
        election.withdraw();
        AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
        await().until(other::isLeader);

        assertThat(election.role()).isEqualTo(Role.OBSERVER);
    }

    @Test
    void readinessIsIgnoredByDefault() {
        ConfigurableApplicationContext context = instances.start();
        Election election = election(context, "orders");
        await().until(election::isLeader);
        AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
        await().during(LONGER_THAN_DELAY).until(election::isLeader);
    }

    @Test
    void observerReceivesLeaderChangesButNeverLeads() {
        ConfigurableApplicationContext observer = instances.start(
                "leader-election.elections.orders.participate=false", "leader-election.elections.orders.observe=true");
        ConfigurableApplicationContext leader = instances.start();
        await().until(() -> election(leader, "orders").isLeader());
        await().untilAsserted(() -> assertThat(log(observer).events()).contains("orders leader instance-2"));
        assertThat(election(observer, "orders").role()).isEqualTo(Role.OBSERVER);
        assertThat(election(observer, "orders").leader()).map(Candidate::id).contains("instance-2");
    }

    @Test
    void lateObserverReceivesCurrentLeader() {
        ConfigurableApplicationContext leader = instances.start();
        await().until(() -> election(leader, "orders").isLeader());
        ConfigurableApplicationContext observer = instances.start(
                "leader-election.elections.orders.participate=false", "leader-election.elections.orders.observe=true");
        await().untilAsserted(() -> assertThat(log(observer).events()).containsExactly("orders leader instance-1"));
    }

    @Test
    void electionsOpenedAtRunTimeAreJoinedAndRemovedOnClose() {
        ConfigurableApplicationContext context = instances.start();
        Elections elections = context.getBean(Elections.class);

        Election shard = elections.open("shard-7");
        await().until(shard::isLeader);
        assertThat(shard.path()).isEqualTo(root + "/shard-7");
        assertThat(elections.open("shard-7")).isSameAs(shard);
        assertThat(elections.all()).extracting(Election::name).containsExactly("orders", "shard-7");
        await().untilAsserted(() -> assertThat(log(context).events()).contains("shard-7 granted 1"));

        shard.close();
        await().until(() -> elections.all().size() == 1);
        assertThatThrownBy(() -> elections.open("a/b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a/b");
    }

    @Test
    void electionCannotBeOpenedAboveOrBelowAnother() {
        Elections elections = instances
                .start("leader-election.elections.orders.path=" + root + "/shard-7/orders")
                .getBean(Elections.class);
        assertThatThrownBy(() -> elections.open("shard-7"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "'shard-7' at " + root + "/shard-7", "'orders' is at " + root + "/shard-7/orders");
        assertThat(elections.open("shard-8").path()).isEqualTo(root + "/shard-8");
        assertThat(elections.open("orders").path()).isEqualTo(root + "/shard-7/orders");
    }

    @Test
    void exceptionOfEventListenerGivesUpLeadership() {
        ConfigurableApplicationContext refuses =
                instances.with(RefusesOnDemand.class).start("test.refuse=true");
        await().untilAsserted(() -> assertThat(log(refuses).events()).contains("orders revoked 1 LISTENER_FAILED"));
        ConfigurableApplicationContext other = instances.start();
        await().until(() -> election(other, "orders").isLeader());
    }

    @Test
    void startsWithoutZooKeeperIfNotFailFast() throws Exception {
        try (TestServer late = new TestServer()) {
            late.stop();
            ConfigurableApplicationContext context = instances.start(
                    "leader-election.fail-fast=false", "leader-election.zookeeper.connect-string=" + late.address());
            await().until(() -> election(context, "orders").role() == Role.CANDIDATE);
            late.start();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> election(context, "orders").isLeader());
            context.close();
        }
    }

    @Test
    void clientOfTheApplicationIsNotClosedAndCanBeReplacedAfterExpiry() throws Exception {
        ZooKeeper own = server.connect(Duration.ofSeconds(3));
        OwnClient.client = own;
        ConfigurableApplicationContext context = instances.with(OwnClient.class).start();
        await().until(() -> election(context, "orders").isLeader());

        server.expire(own);
        await().untilAsserted(() -> assertThat(log(context).events())
                .hasSize(3)
                .contains("orders failed ElectionConnectionException")
                .anyMatch(event -> event.startsWith("orders revoked 1")));
        assertThat(election(context, "orders").role()).isEqualTo(Role.CANDIDATE);

        ZooKeeper fresh = server.connect(Duration.ofSeconds(3));
        context.getBean(ZooKeeperElections.class).reconnect(fresh);
        await().until(() -> election(context, "orders").isLeader());

        context.close();
        assertThat(fresh.getState().isAlive()).isTrue();
        assertThat(fresh.getSessionId()).isNotZero();
        assertThat(fresh.exists(root, false)).isNotNull();
        fresh.close();
    }

    @Test
    void sessionsOfTheApplicationTakePrecedenceOverItsClient() throws Exception {
        ZooKeeper unused = server.connect(Duration.ofSeconds(3));
        OwnClient.client = unused;
        OwnSessions.address = server.address();
        ConfigurableApplicationContext context =
                instances.with(OwnClient.class, OwnSessions.class).start();
        await().until(() -> election(context, "orders").isLeader());
        OwnSessions sessions = context.getBean(OwnSessions.class);
        assertThat(sessions.opened).hasSize(1);

        server.expire(sessions.opened.get(0));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> sessions.opened.size() == 2
                        && election(context, "orders").isLeader());

        context.close();
        assertThat(sessions.opened).noneMatch(client -> client.getState().isAlive());
        assertThat(unused.exists("/", false)).isNotNull();
        unused.close();
    }

    @Test
    void candidateIdConsistsOfApplicationHostAndProcess() {
        ConfigurableApplicationContext context = instances.start(
                "leader-election.candidate.id=",
                "spring.application.name=shop",
                "leader-election.candidate.metadata.zone=a");
        await().until(() -> election(context, "orders").isLeader());
        Candidate candidate =
                election(context, "orders").leadership().orElseThrow().candidate();
        assertThat(candidate.id()).matches("shop@.+:" + ProcessHandle.current().pid());
        assertThat(election(context, "orders").candidates().get(0).metadata()).containsEntry("zone", "a");
    }

    @Configuration(proxyBeanMethods = false)
    static class BeforeReady {

        final List<Role> roles = new CopyOnWriteArrayList<>();

        @EventListener
        void started(ApplicationStartedEvent event) {
            roles.add(event.getApplicationContext().getBean(Election.class).role());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AwaitsLeadership {

        @EventListener
        void started(ApplicationStartedEvent event) throws InterruptedException {
            event.getApplicationContext().getBean(Election.class).awaitLeadership(Duration.ofMinutes(10));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FailsWhenReady {

        @EventListener
        void started(ApplicationStartedEvent event) {
            throw new IllegalStateException("not today");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class RefusesOnDemand {

        @EventListener(
                condition = "@environment.getProperty('test.refuse') == 'true' and #event.election.name() == 'orders'")
        void granted(OnGrantedEvent event) {
            throw new IllegalStateException("cannot lead");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnClient {

        static ZooKeeper client;

        @Bean(destroyMethod = "")
        ZooKeeper zooKeeper() {
            return client;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnSessions implements ZooKeeperSessions {

        static String address;
        final List<ZooKeeper> opened = new CopyOnWriteArrayList<>();

        @Override
        public ZooKeeper open(org.apache.zookeeper.Watcher watcher) throws java.io.IOException {
            ZooKeeper client = new ZooKeeper(address, 3_000, watcher);
            opened.add(client);
            return client;
        }
    }
}
