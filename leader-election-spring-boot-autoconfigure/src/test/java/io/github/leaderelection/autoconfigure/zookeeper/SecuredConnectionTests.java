package io.github.leaderelection.autoconfigure.zookeeper;

import static io.github.leaderelection.autoconfigure.Instances.election;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.autoconfigure.Instances;
import io.github.leaderelection.zookeeper.ZooKeeperSessions;
import io.github.leaderelection.zookeeper.fixture.SecureServer;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.common.X509Util;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Credentials and encryption, with a server that requires them. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SecuredConnectionTests {

    private static final String USER = "leader-election.zookeeper.auth.credentials=shop:topsecret";
    private static final String DIGEST = "leader-election.zookeeper.auth.scheme=digest";

    @TempDir
    private static Path directory;

    private static SecureServer server;
    private static Certificates serverCertificates;
    private static Certificates clientCertificates;
    private static ZooKeeper administrator;

    private String root;
    private Instances instances;
    private List<Path> earlierKeyFiles = List.of();

    @BeforeAll
    static void startServer() throws Exception {
        serverCertificates = new Certificates(directory, "server");
        clientCertificates = new Certificates(directory, "client");
        server = new SecureServer(
                directory, serverCertificates.keys(), clientCertificates.trusted(), Certificates.PASSWORD);
        administrator = TestServer.connect(server.plainAddress(), Duration.ofSeconds(10));
    }

    @AfterAll
    static void stopServer() throws Exception {
        administrator.close();
        server.close();
    }

    @BeforeEach
    void prepare(TestInfo test) throws IOException {
        earlierKeyFiles = keyFiles();
        root = "/" + test.getTestMethod().orElseThrow().getName();
        instances = new Instances(
                "leader-election.zookeeper.connect-string=" + server.plainAddress(),
                "leader-election.zookeeper.connection-timeout=20s",
                "leader-election.root=" + root,
                "leader-election.elections.orders=");
    }

    @AfterEach
    void closeAll() throws IOException {
        instances.close();
        assertThat(keyFiles()).isEmpty();
    }

    private List<Path> keyFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("leader-election-tls"))
                    .filter(file -> !earlierKeyFiles.contains(file))
                    .toList();
        }
    }

    private ConfigurableApplicationContext startLeader(String... properties) {
        ConfigurableApplicationContext context = instances.start(properties);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> election(context, "orders").isLeader());
        return context;
    }

    private static void assertBelongsTo(ZooKeeper reader, String path, String scheme, String user) throws Exception {
        List<ACL> acl = reader.getACL(path, new Stat());
        assertThat(acl).hasSize(1).allSatisfy(entry -> {
            assertThat(entry.getId().getScheme()).isEqualTo(scheme);
            assertThat(entry.getId().getId()).startsWith(user);
        });
    }

    @Test
    void nodesBelongToCreatorIfCredentialsAreSet(CapturedOutput output) throws Exception {
        startLeader(DIGEST, USER);
        ZooKeeper insider = TestServer.connect(server.plainAddress(), Duration.ofSeconds(10));
        insider.addAuthInfo("digest", "shop:topsecret".getBytes(StandardCharsets.UTF_8));
        for (String node : List.of("", "/orders", "/orders/leader", "/.beats")) {
            assertBelongsTo(insider, root + node, "digest", "shop:");
        }
        insider.close();
        assertThatExceptionOfType(KeeperException.NoAuthException.class)
                .isThrownBy(() -> administrator.getChildren(root + "/orders", false));
        assertThatExceptionOfType(KeeperException.NoAuthException.class)
                .isThrownBy(() -> administrator.setData(root + "/orders/leader", new byte[0], -1));
        ConfigurableApplicationContext second = instances.start(DIGEST, USER);
        assertThat(election(second, "orders").leader()).isPresent();
        assertThat(output.getAll()).doesNotContain("topsecret");
    }

    @Test
    void nodesBelongToCreatorOnConnectionOfTheApplication() throws Exception {
        OwnSessions.address = server.plainAddress();
        instances.with(OwnSessions.class);
        startLeader(DIGEST, USER);
        ZooKeeper insider = OwnSessions.connect(event -> {});
        assertBelongsTo(insider, root + "/orders", "digest", "shop:");
        insider.close();
    }

    @Test
    void nodesAreOpenIfConfigured() throws Exception {
        startLeader(DIGEST, USER, "leader-election.zookeeper.acl=open");
        assertBelongsTo(administrator, root + "/orders", "world", "anyone");
    }

    @Test
    void wrongCredentialsFailStartupAndAreNotShown(CapturedOutput output) {
        startLeader(DIGEST, USER);
        assertThatThrownBy(() -> instances.start(DIGEST, "leader-election.zookeeper.auth.credentials=shop:wrongsecret"))
                .satisfies(failure -> {
                    StringWriter text = new StringWriter();
                    failure.printStackTrace(new PrintWriter(text, true));
                    assertThat(text.toString()).doesNotContain("wrongsecret");
                });
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", "NOAUTH", "leader-election.zookeeper.auth.scheme")
                .doesNotContain("topsecret")
                .doesNotContain("wrongsecret");
    }

    private String[] overTls(String... bundle) {
        return Stream.concat(
                        Stream.of(
                                "leader-election.zookeeper.connect-string=" + server.secureAddress(),
                                "leader-election.zookeeper.ssl.bundle=zookeeper"),
                        Stream.of(bundle).map(property -> "spring.ssl.bundle." + property))
                .toArray(String[]::new);
    }

    @Test
    void mutualTlsWithKeyStores(CapturedOutput output) throws Exception {
        ConfigurableApplicationContext context = startLeader(overTls(
                "jks.zookeeper.keystore.location=file:" + clientCertificates.keys(),
                "jks.zookeeper.keystore.password=" + Certificates.PASSWORD,
                "jks.zookeeper.truststore.location=file:" + serverCertificates.trusted(),
                "jks.zookeeper.truststore.password=" + Certificates.PASSWORD));
        assertThat(administrator.exists(root + "/orders/leader", false)).isNotNull();
        assertThat(keyFiles())
                .hasSize(1)
                .allSatisfy(file -> assertThat(Files.getPosixFilePermissions(file))
                        .allMatch(permission -> permission.name().startsWith("OWNER_")));
        context.close();
        assertThat(keyFiles()).isEmpty();
        assertThat(output.getAll()).doesNotContain(Certificates.PASSWORD);
    }

    @Test
    void mutualTlsWithPemFiles() throws Exception {
        ConfigurableApplicationContext context = startLeader(overTls(
                "pem.zookeeper.keystore.certificate=file:" + clientCertificates.certificatePem(),
                "pem.zookeeper.keystore.private-key=file:" + clientCertificates.keyPem(),
                "pem.zookeeper.truststore.certificate=file:" + serverCertificates.certificatePem()));
        assertThat(administrator.exists(root + "/orders/leader", false)).isNotNull();
        context.close();
        assertThat(keyFiles()).isEmpty();
    }

    @Test
    void attemptsToConnectAreNotLoggedDuringAnOutage(CapturedOutput output) throws Exception {
        int port = Integer.parseInt(server.secureAddress().replaceAll(".*:", ""));
        try (TcpProxy proxy = new TcpProxy(port)) {
            ConfigurableApplicationContext context = startLeader(
                    "leader-election.zookeeper.connect-string=" + proxy.address(),
                    "leader-election.zookeeper.ssl.bundle=zookeeper",
                    "spring.ssl.bundle.jks.zookeeper.keystore.location=file:" + clientCertificates.keys(),
                    "spring.ssl.bundle.jks.zookeeper.keystore.password=" + Certificates.PASSWORD,
                    "spring.ssl.bundle.jks.zookeeper.truststore.location=file:" + serverCertificates.trusted(),
                    "spring.ssl.bundle.jks.zookeeper.truststore.password=" + Certificates.PASSWORD);
            proxy.close();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !election(context, "orders").isLeader());
        }
        assertThat(output.getAll()).doesNotContain("future isn't success");
    }

    @Test
    void keyInTrustStoreCountsAsItsCertificate() throws Exception {
        startLeader(overTls(
                "jks.zookeeper.keystore.location=file:" + clientCertificates.keys(),
                "jks.zookeeper.keystore.password=" + Certificates.PASSWORD,
                "jks.zookeeper.truststore.location=file:" + serverCertificates.keys(),
                "jks.zookeeper.truststore.password=" + Certificates.PASSWORD));
        assertThat(administrator.exists(root + "/orders/leader", false)).isNotNull();
    }

    @Test
    void unknownKeyAliasFailsStartup(CapturedOutput output) {
        assertThatThrownBy(() -> instances.start(overTls(
                        "jks.zookeeper.keystore.location=file:" + clientCertificates.keys(),
                        "jks.zookeeper.keystore.password=" + Certificates.PASSWORD,
                        "jks.zookeeper.key.alias=nobody")))
                .isNotNull();
        assertThat(output.getAll()).contains("APPLICATION FAILED TO START", "SSL bundle", "'nobody'");
    }

    @Test
    void missingCertificateOrTrustFailsStartup(CapturedOutput output) throws Exception {
        String impatient = "leader-election.zookeeper.connection-timeout=3s";
        instances = new Instances(impatient, "leader-election.root=" + root, "leader-election.elections.orders=");
        assertThatThrownBy(() -> instances.start(
                        overTls("pem.zookeeper.truststore.certificate=file:" + serverCertificates.certificatePem())))
                .isNotNull();
        assertThat(keyFiles()).isEmpty();
        assertThatThrownBy(() -> instances.start(overTls(
                        "jks.zookeeper.keystore.location=file:" + clientCertificates.keys(),
                        "jks.zookeeper.keystore.password=" + Certificates.PASSWORD,
                        "jks.zookeeper.truststore.location=file:" + clientCertificates.trusted(),
                        "jks.zookeeper.truststore.password=" + Certificates.PASSWORD)))
                .isNotNull();
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", server.secureAddress(), ".ssl.bundle")
                .doesNotContain(Certificates.PASSWORD);
    }

    @Test
    void unreadableBundleFailsStartupAtOnce(CapturedOutput output) throws Exception {
        assertThatThrownBy(() -> instances.start(overTls(
                        "jks.zookeeper.keystore.location=file:" + clientCertificates.keys(),
                        "jks.zookeeper.keystore.password=" + Certificates.PASSWORD,
                        "jks.zookeeper.key.password=not-" + Certificates.PASSWORD)))
                .isNotNull();
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", "SSL bundle")
                .doesNotContain("not-" + Certificates.PASSWORD);
    }

    @Test
    void usesSaslLoginOfTheJvm() throws Exception {
        // ZooKeeper's FIPS mode, which is enabled by default, does not allow DIGEST-MD5.
        System.setProperty(X509Util.FIPS_MODE_PROPERTY, "false");
        Configuration.setConfiguration(new Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                return name.equals("Client")
                        ? new AppConfigurationEntry[] {
                            new AppConfigurationEntry(
                                    DigestLoginModule.class.getName(),
                                    AppConfigurationEntry.LoginModuleControlFlag.REQUIRED,
                                    Map.of("username", "shop", "password", "jaas-secret"))
                        }
                        : null;
            }
        });
        try {
            startLeader("leader-election.zookeeper.acl=creator");
            ZooKeeper insider = TestServer.connect(server.plainAddress(), Duration.ofSeconds(10));
            assertBelongsTo(insider, root + "/orders", "sasl", "shop");
            insider.close();
            assertThatExceptionOfType(KeeperException.NoAuthException.class)
                    .isThrownBy(() -> administrator.getChildren(root + "/orders", false));
        } finally {
            instances.close();
            Configuration.setConfiguration(null);
            System.clearProperty(X509Util.FIPS_MODE_PROPERTY);
        }
    }

    @org.springframework.context.annotation.Configuration(proxyBeanMethods = false)
    static class OwnSessions implements ZooKeeperSessions {

        static String address;

        static ZooKeeper connect(Watcher watcher) throws IOException {
            ZooKeeper client = new ZooKeeper(address, 10_000, watcher);
            client.addAuthInfo("digest", "shop:topsecret".getBytes(StandardCharsets.UTF_8));
            return client;
        }

        @Override
        public ZooKeeper open(Watcher watcher) throws IOException {
            return connect(watcher);
        }
    }
}
