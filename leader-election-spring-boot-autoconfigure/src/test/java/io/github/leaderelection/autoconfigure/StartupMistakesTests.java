package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;

/** Each misconfiguration fails the startup with a description and an action, and leaves nothing behind. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StartupMistakesTests {

    private static final List<ACL> READ_ONLY =
            new ArrayList<>(List.of(new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE)));

    private static TestServer server;
    private static ZooKeeper administrator;

    private CapturedOutput output;
    private String root;

    @BeforeAll
    static void startServer() {
        server = new TestServer();
        administrator = server.connect(Duration.ofSeconds(30));
    }

    @AfterAll
    static void stopServer() throws Exception {
        administrator.close();
        server.close();
    }

    @BeforeEach
    void prepare(TestInfo test, CapturedOutput output) {
        this.output = output;
        this.root = "/" + test.getTestMethod().orElseThrow().getName();
    }

    /** Starts an application that is valid except for the given properties and beans. */
    private void assertFails(List<String> properties, List<Class<?>> beans, String... texts) {
        Map<String, String> all = new LinkedHashMap<>();
        Stream.concat(
                        Stream.of(
                                "leader-election.zookeeper.connect-string=" + server.address(),
                                "leader-election.zookeeper.connection-timeout=20s",
                                "leader-election.root=" + root,
                                "leader-election.elections.orders="),
                        properties.stream())
                .map(property -> property.split("=", 2))
                .forEach(property -> all.put(property[0], property[1]));
        String[] arguments = all.entrySet().stream().map(Map.Entry::toString).toArray(String[]::new);
        int before = output.getAll().length();
        try (Instances instances = new Instances().with(beans.toArray(Class<?>[]::new))) {
            assertThatThrownBy(() -> instances.start(arguments)).isNotNull();
        }
        String report = output.getAll().substring(before);
        assertThat(report).contains("APPLICATION FAILED TO START", "Description:", "Action:");
        report = report.substring(report.indexOf("APPLICATION FAILED TO START"));
        assertThat(report).contains(texts);
        assertThat(report.substring(report.indexOf("Action:") + "Action:".length())
                        .strip())
                .isNotEmpty();
    }

    private void assertFails(String property, String... texts) {
        assertFails(List.of(property), List.of(), texts);
    }

    @AfterEach
    void nothingIsLeftBehind() {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(administrator.getEphemerals("/")).isEmpty();
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(Thread::isAlive)
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith("election-") || name.startsWith("leader-election"));
        });
    }

    @Test
    void zooKeeperIsUnreachable() {
        TestServer stopped = new TestServer();
        stopped.stop();
        assertFails(
                List.of(
                        "leader-election.zookeeper.connect-string=" + stopped.address(),
                        "leader-election.zookeeper.connection-timeout=1s"),
                List.of(),
                "ZooKeeper at " + stopped.address() + " cannot be used",
                stopped.address() + " does not accept connections",
                "PT1S",
                "leader-election.zookeeper.connect-string",
                "leader-election.fail-fast",
                "leader-election.mode");
        stopped.close();
    }

    /** The server accepts connections, and never responds or responds with something else. */
    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"})
    void portIsNotThatOfZooKeeper(String response) throws Exception {
        try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread responder = new Thread(() -> respond(other, response), "other-server");
            responder.setDaemon(true);
            responder.start();
            String address = "127.0.0.1:" + other.getLocalPort();
            assertFails(
                    List.of(
                            "leader-election.zookeeper.connect-string=" + address,
                            "leader-election.zookeeper.connection-timeout=2s"),
                    List.of(),
                    "ZooKeeper at " + address + " cannot be used",
                    address + " accepts connections, but does not respond like a ZooKeeper server",
                    "leader-election.zookeeper.connect-string");
        }
    }

    private static void respond(ServerSocket server, String response) {
        try {
            while (true) {
                Socket client = server.accept();
                if (!response.isEmpty()) {
                    client.getOutputStream().write(response.getBytes(StandardCharsets.US_ASCII));
                    client.close();
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    @Test
    void recordCannotBeLeaderOnly() {
        assertFails(
                List.of(),
                List.of(RecordedJob.class),
                "RecordedJob.job()",
                "is a record",
                "Use an ordinary class instead of a record");
    }

    @Test
    void noConnectionIsConfigured() {
        assertFails(
                "leader-election.zookeeper.connect-string=",
                "No connection to ZooKeeper is configured",
                "leader-election.zookeeper.connect-string",
                "leader-election.zookeeper.embedded.enabled",
                "leader-election.mode");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zk1:port", "zk1:2181;zk2:2181"})
    void connectStringIsInvalid(String address) {
        assertFails(
                "leader-election.zookeeper.connect-string=" + address,
                "leader-election.zookeeper.connect-string",
                address,
                "zk1:2181,zk2:2181");
    }

    @Test
    void electionNodeIsMissing() throws Exception {
        assertFails(
                "leader-election.create-paths=false",
                "'orders'",
                root + "/orders",
                "leader-election.elections.<name>.path",
                "leader-election.create-paths");
        assertThat(administrator.exists(root + "/orders", false)).isNull();
    }

    @Test
    void chrootIsMissing() throws Exception {
        assertFails(
                "leader-election.zookeeper.connect-string=" + server.address() + "/apps/shop",
                "A node is missing in ZooKeeper",
                "chroot",
                "leader-election.zookeeper.connect-string");
        assertThat(administrator.exists("/apps", false)).isNull();
    }

    @Test
    void electionNodeIsNotAccessible() throws Exception {
        administrator.create(root, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        administrator.create(root + "/orders", new byte[0], READ_ONLY, CreateMode.PERSISTENT);
        assertFails(
                List.of(),
                List.of(),
                "'orders'",
                root + "/orders",
                "NOAUTH",
                "leader-election.zookeeper.auth.scheme",
                "leader-election.zookeeper.acl");
    }

    @Test
    void rootIsNotAccessible() throws Exception {
        administrator.create(root, new byte[0], READ_ONLY, CreateMode.PERSISTENT);
        assertFails(
                List.of(), List.of(), root, "NOAUTH", "leader-election.zookeeper.auth.scheme", "leader-election.root");
    }

    @Test
    void creatorAclWithoutCredentials() {
        assertFails(
                "leader-election.zookeeper.acl=creator",
                "leader-election.zookeeper.acl",
                "INVALIDACL",
                "leader-election.zookeeper.auth.scheme");
    }

    @Test
    void unknownElectionIsInjected() {
        assertFails(
                List.of("leader-election.elections.billing="),
                List.of(NeedsUnknown.class),
                "'refunds'",
                "[orders, billing]",
                "leader-election.elections.refunds",
                "NeedsUnknown");
    }

    @Test
    void unknownElectionIsInjectedIntoDependency() {
        assertFails(
                List.of(),
                List.of(NeedsUnknownIndirectly.class),
                "'refunds'",
                "leader-election.elections.refunds",
                "parameter");
    }

    @Test
    void ambiguousElectionIsInjected() {
        assertFails(
                List.of("leader-election.elections.billing="),
                List.of(NeedsAny.class),
                "[orders, billing]",
                "@Qualifier(\"orders\")",
                "NeedsAny");
    }

    @Test
    void leaderOnlyMethodOfUnknownElection() {
        assertFails(
                List.of(),
                List.of(WorksForUnknown.class),
                "@LeaderOnly(\"refunds\")",
                "WorksForUnknown.job()",
                "only 'orders'",
                "leader-election.elections.refunds");
    }

    @Test
    void methodCannotBeLeaderOnly() {
        assertFails(List.of(), List.of(Unusable.class), "Unusable.job()", "final", "Make it non-final");
    }

    @ParameterizedTest
    @CsvSource({
        "elections.orders.path, orders, /",
        "elections.orders.path, /a//b, /elections/orders",
        "elections.orders.path, /, /elections/orders",
        "elections.orders.path, /a/../b, /elections/orders",
        "root, elections, /",
        "root, /elections/, /",
        "root, /, /elections",
        "lease, 10s, leader-election.zookeeper.session-timeout",
        "lease, -1s, positive",
        "lease, 0s, positive",
        "zookeeper.session-timeout, -5s, positive",
        "zookeeper.session-timeout, 0s, positive",
        "zookeeper.session-timeout, 60d, 24d",
        "zookeeper.connection-timeout, -5s, positive",
        "recheck-interval, 0s, positive",
        "preempt-after, 0s, positive",
        "spread.settle, -1s, positive",
        "spread.concurrency, 0, Use 1 or more",
        "drain-timeout, -1s, 0s or more",
        "drain-timeout, 40000d, 36500d",
        "recheck-interval, PT2562047788015215H, 36500d",
        "zookeeper.embedded.port, 70000, 65535",
    })
    void valueIsInvalid(String property, String value, String advice) {
        assertFails(
                List.of(
                        "leader-election.zookeeper.session-timeout=10s",
                        "leader-election.%s=%s".formatted(property, value)),
                List.of(),
                "leader-election." + property,
                value.matches("-?\\d+[sd]") ? "" : value,
                advice);
    }

    @Test
    void propertyOfElectionWithEmptyValueIsInvalid() {
        assertFails(
                List.of(
                        "leader-election.elections.billing=",
                        "leader-election.elections.billing.path=/prod/billing",
                        "leader-election.elections.billing.participate=flase"),
                List.of(),
                "leader-election.elections.billing.participate",
                "flase");
    }

    @Test
    void portOfEmbeddedServerIsInvalid() {
        assertFails(
                List.of(
                        "leader-election.zookeeper.embedded.enabled=true",
                        "leader-election.zookeeper.embedded.port=70000"),
                List.of(),
                "leader-election.zookeeper.embedded.port",
                "70000",
                "65535");
    }

    @Test
    void candidateIdIsTooLong() {
        assertFails("leader-election.candidate.id=" + "x".repeat(501), "leader-election.candidate.id", "501", "500");
    }

    @Test
    void nameOrIdContainsInvisibleCharacters() {
        assertFails(
                "leader-election.elections[shop\u200b].participate=true",
                "leader-election.elections.shop\\u200b",
                "control characters");
        assertFails("leader-election.candidate.id=a\u202eb", "leader-election.candidate.id", "control characters");
    }

    @Test
    void electionsHaveTheSamePath() {
        assertFails(
                "leader-election.elections.billing.path=" + root + "/orders",
                "leader-election.elections.billing.path",
                root + "/orders",
                "'orders'");
    }

    @Test
    void pathIsTheDerivedPathOfAnotherElection() {
        assertFails(
                List.of(
                        "leader-election.elections.orders.path=" + root + "/refunds",
                        "leader-election.elections.refunds="),
                List.of(),
                "leader-election.elections.refunds.path is " + root + "/refunds",
                "'orders'");
    }

    @ParameterizedTest
    @CsvSource({"/leader", "/a", "/a/b"})
    void electionIsInsideAnother(String below) {
        assertFails(
                "leader-election.elections.billing.path=" + root + "/orders" + below,
                "leader-election.elections.billing.path is " + root + "/orders" + below,
                "leader-election.elections.orders.path is " + root + "/orders",
                "neither above nor below");
    }

    @Test
    void electionIsAboveAnother() {
        assertFails(
                List.of(
                        "leader-election.elections.orders.path=/shop/orders",
                        "leader-election.elections.shop.path=/shop"),
                List.of(),
                "leader-election.elections.orders.path is /shop/orders",
                "leader-election.elections.shop.path is /shop");
    }

    @ParameterizedTest
    @CsvSource({"/shop/elections", "/shop"})
    void electionIsAtOrAboveRoot(String path) {
        assertFails(
                List.of("leader-election.root=/shop/elections", "leader-election.elections.orders.path=" + path),
                List.of(),
                "leader-election.elections.orders.path is " + path + ",",
                "leader-election.root",
                "/shop/elections");
    }

    @ParameterizedTest
    @CsvSource({"a/b", ".hidden"})
    void electionNameIsInvalid(String name) {
        assertFails("leader-election.elections[%s].observe=true".formatted(name), name, "slash");
    }

    @Test
    void negotiatedSessionTimeoutIsShorterThanLease() {
        assertFails(
                List.of("leader-election.zookeeper.session-timeout=200s", "leader-election.lease=100s"),
                List.of(),
                "PT1M40S",
                "PT1M",
                "leader-election.lease",
                "maxSessionTimeout");
    }

    @Test
    void electionHasValue() {
        assertFails(
                "leader-election.elections.orders=x",
                "leader-election.elections.orders",
                "x",
                "leader-election.elections.orders.path");
    }

    @Test
    void electionsAreAList() {
        assertFails(
                "leader-election.elections[0]=billing",
                "leader-election.elections[0]",
                "Elections are a map, not a list. Write `billing:` below leader-election.elections");
    }

    @Test
    void electionsAreAListOfObjects() {
        assertFails(
                List.of("leader-election.elections[0].name=billing", "leader-election.elections[0].path=/billing"),
                List.of(),
                "leader-election.elections[0].name",
                "Elections are a map, not a list. Write `billing:` below leader-election.elections");
    }

    @Test
    void electionsAreAListOfMaps() {
        assertFails(
                "leader-election.elections[0].billing.path=/billing",
                "leader-election.elections[0].billing.path",
                "Elections are a map, not a list. Write `billing:` below leader-election.elections");
    }

    @ParameterizedTest
    @ValueSource(strings = {"refunds.pathh", "orders.pathh", "orders.path.of", "orders.path[0]"})
    void propertyOfElectionIsUnknown(String key) {
        assertFails(
                List.of(
                        "leader-election.elections.orders.observe=true",
                        "leader-election.elections.%s=/x".formatted(key)),
                List.of(),
                "leader-election.elections." + key + " ",
                "commandLineArgs",
                "path, participate, observe, priority, drain-timeout");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "a.b.path"})
    void electionNameWithDotHasNoBrackets(String key) {
        assertFails(
                "leader-election.elections.%s=".formatted(key),
                "leader-election.elections." + key + " ",
                "leader-election.elections[a.b]",
                "\"[a.b]\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"maybe", "", "2"})
    void enabledIsNotBoolean(String value) {
        assertFails(
                "leader-election.enabled=" + value,
                "leader-election.enabled is '%s'".formatted(value),
                "Set leader-election.enabled to true or false");
    }

    @Test
    void embeddedEnabledIsNotBoolean() {
        assertFails(
                "leader-election.zookeeper.embedded.enabled=maybe",
                "leader-election.zookeeper.embedded.enabled is 'maybe'",
                "true or false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "no"})
    void electionIsInjectedThoughDisabled(String off) {
        assertFails(
                List.of("leader-election.enabled=" + off),
                List.of(NeedsAny.class),
                "Leader election is disabled",
                "Set leader-election.enabled to true");
    }

    @Test
    void electionsBeanIsInjectedThoughDisabled() {
        assertFails(
                List.of("leader-election.enabled=false"),
                List.of(NeedsAll.class),
                "NeedsAll",
                "Leader election is disabled",
                "ObjectProvider<Elections>");
    }

    @Test
    void beanOfOtherTypeHasNameOfElectionBean() {
        assertFails(
                List.of(),
                List.of(OrdersElection.class),
                "'ordersElection'",
                "StartupMistakesTests$OrdersElection",
                "'orders'",
                "another name");
    }

    @Test
    void modeIsUnknown() {
        assertFails("leader-election.mode=consul", "leader-election.mode", "consul", "ZOOKEEPER", "LOCAL");
    }

    @Test
    void modeIsEmpty() {
        assertFails("leader-election.mode=", "leader-election.mode is empty", "zookeeper or local");
    }

    @Test
    void schemeWithoutCredentials() {
        assertFails(
                "leader-election.zookeeper.auth.scheme=digest",
                "leader-election.zookeeper.auth.credentials is not set",
                "leader-election.zookeeper.auth.scheme");
    }

    @Test
    void credentialsWithoutSchemeAreNotShown() {
        assertFails(
                "leader-election.zookeeper.auth.credentials=shop:topsecret",
                "leader-election.zookeeper.auth.scheme is not set");
        assertThat(output.getAll()).doesNotContain("topsecret");
    }

    @Test
    void schemeIsUnknownToServer() {
        assertFails(
                List.of(
                        "leader-election.zookeeper.auth.scheme=oauth",
                        "leader-election.zookeeper.auth.credentials=topsecret"),
                List.of(),
                "authentication",
                "leader-election.zookeeper.auth.scheme");
        assertThat(output.getAll()).doesNotContain("topsecret", "does not respond like a ZooKeeper server");
    }

    @Test
    void sslBundleIsUnknown() {
        assertFails(
                "leader-election.zookeeper.ssl.bundle=nope",
                "leader-election.zookeeper.ssl.bundle",
                "nope",
                "spring.ssl.bundle.jks.nope",
                "spring.ssl.bundle.pem.nope");
    }

    /** The server works, so it is not probed. */
    @Test
    void sslBundleCannotBeRead() {
        assertFails(
                List.of(
                        "leader-election.zookeeper.ssl.bundle=zk",
                        "spring.ssl.bundle.pem.zk.truststore.certificate=file:/missing.pem"),
                List.of(),
                "/missing.pem",
                ".ssl.bundle");
        assertThat(output.getAll()).doesNotContain("does not respond like a ZooKeeper server");
    }

    @Test
    void graceIsTooLongForTheGrantedSessionTimeout() {
        assertFails(
                List.of("leader-election.zookeeper.session-timeout=200s", "leader-election.grace=30s"),
                List.of(),
                "The grace (PT30S) must be at most half of the lease",
                "leader-election.grace");
    }

    @Test
    void portOfEmbeddedServerIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertFails(
                    List.of(
                            "leader-election.zookeeper.embedded.enabled=true",
                            "leader-election.zookeeper.embedded.port=" + taken.getLocalPort()),
                    List.of(),
                    "port " + taken.getLocalPort(),
                    "leader-election.zookeeper.embedded.port");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsUnknown {
        NeedsUnknown(@Qualifier("refunds") Election election) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsUnknownIndirectly {

        @Bean
        Runnable outer(Comparable<String> inner) {
            return () -> {};
        }

        @Bean
        Comparable<String> parameter(@Qualifier("refunds") Election election) {
            return other -> 0;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsAny {
        NeedsAny(Election election) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsAll {
        NeedsAll(Elections elections) {}
    }

    @Component("ordersElection")
    static class OrdersElection {}

    @Configuration(proxyBeanMethods = false)
    static class WorksForUnknown {
        @LeaderOnly("refunds")
        public void job() {}
    }

    record RecordedJob() {
        @LeaderOnly("orders")
        public void job() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Unusable {
        @LeaderOnly("orders")
        public final void job() {}
    }
}
