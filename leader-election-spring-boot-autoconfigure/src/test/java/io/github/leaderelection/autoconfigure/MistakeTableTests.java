package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Mistakes in the configuration that are found without ZooKeeper, and what the report says about each of them. */
class MistakeTableTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, LeaderElectionAutoConfiguration.class))
            .withPropertyValues("leader-election.zookeeper.connect-string=localhost:2181");

    static Stream<Arguments> mistakes() {
        return Stream.of(
                // Misspelt or misplaced
                row("drain-timout=10s", "leader-election.drain-timout", "Did you mean leader-election.drain-timeout?"),
                row("mod=local", "leader-election.mod ", "Did you mean leader-election.mode?"),
                row("modus=local", "leader-election.modus ", "Did you mean leader-election.mode?"),
                row("enable=false", "leader-election.enable ", "Did you mean leader-election.enabled?"),
                row("roots=/a", "leader-election.roots ", "Did you mean leader-election.root?"),
                row("leese=3s", "leader-election.leese ", "Did you mean leader-election.lease?"),
                row("failfast.enabled=true", "leader-election.failfast.enabled ", "leader-election"),
                row("fail-fats=true", "leader-election.fail-fats ", "Did you mean leader-election.fail-fast?"),
                row("create-path=true", "leader-election.create-path ", "leader-election.create-paths?"),
                row("recheck=30s", "leader-election.recheck ", "properties of leader-election: enabled, mode"),
                row("candidate.ids=a", "leader-election.candidate.ids ", "Did you mean leader-election.candidate.id?"),
                row("candidate.meta.zone=a", "leader-election.candidate.meta.zone ", "leader-election.candidate: id"),
                row("candidat.id=a", "leader-election.candidat.id ", "Did you mean leader-election.candidate.id?"),
                row(
                        "session-timeout=5s",
                        "leader-election.session-timeout ",
                        "leader-election.zookeeper.session-timeout?"),
                row(
                        "connect-string=a:1",
                        "leader-election.connect-string ",
                        "leader-election.zookeeper.connect-string?"),
                row("embedded.enabled=true", "embedded.enabled ", "leader-election.zookeeper.embedded.enabled?"),
                row("zookeper.connect-string=a:1", "zookeper.connect-string ", "zookeeper.connect-string?"),
                row("zookeeper.connectstrng=a:1", "zookeeper.connectstrng ", "zookeeper.connect-string?"),
                row(
                        "zookeeper.auth.user=a",
                        "zookeeper.auth.user ",
                        "leader-election.zookeeper.auth: scheme, credentials"),
                row("zookeeper.ssl.enabled=true", "zookeeper.ssl.enabled ", "leader-election.zookeeper.ssl: bundle"),
                row("zookeeper.embedded.prot=1", "zookeeper.embedded.prot ", "zookeeper.embedded.port?"),
                row("elections.orders.pth=/a", "elections.orders.pth ", "elections.orders.path?"),
                row("elections.orders.participates=true", "orders.participates ", "elections.orders.participate?"),
                row("elections.orders.drain-timout=1s", "orders.drain-timout ", "elections.orders.drain-timeout?"),
                row("elections.orders.zzz=1", "orders.zzz ", "The properties of an election are path, participate"),
                row("elections.a.b.path=/x", "elections.a.b.path ", "leader-election.elections[a.b]"),
                // A value or a list instead of properties
                row("elections=reports", "leader-election.elections is 'reports'", "Write `reports:`"),
                row("elections=reports,orders", "leader-election.elections is 'reports,orders'", "Write `reports:`"),
                row("elections[0]=reports", "leader-election.elections[0]", "Write `reports:`"),
                row("elections[0].name=reports", "leader-election.elections[0].name", "Write `reports:`"),
                row(
                        "elections.orders=/a",
                        "leader-election.elections.orders is '/a'",
                        "leader-election.elections.orders.path"),
                row(
                        "zookeeper=localhost:2181",
                        "leader-election.zookeeper is",
                        "leader-election.zookeeper.connect-string"),
                row("candidate=a", "leader-election.candidate is 'a'", "leader-election.candidate.id"),
                row("zookeeper.auth=digest", "zookeeper.auth is set", "leader-election.zookeeper.auth.scheme"),
                row("zookeeper.connect-string[0]=a:1", "connect-string[0] ", "single value, not a list"),
                row("lease.of.leader=3s", "leader-election.lease.of.leader ", "leader-election"),
                row(
                        "candidate.metadata=zone-a",
                        "leader-election.candidate.metadata is 'zone-a'",
                        "Write leader-election.candidate.metadata.<key>"),
                row("candidate.metadata[0]=a", "leader-election.candidate.metadata[0] ", "Metadata is a map"),
                // Names that Spring Boot would change
                row(
                        "elections.eu/billing.observe=true",
                        "'eu/billing' of leader-election.elections",
                        "\"[eu/billing]\""),
                row("elections.eu billing.path=/a", "would be read as 'eubilling'", "\"[eu billing]\""),
                row("elections.Aufträge.observe=true", "would be read as 'Auftrge'", "\"[Aufträge]\""),
                row("candidate.metadata.zone/a=b", "'zone/a' of leader-election.candidate.metadata", "\"[zone/a]\""),
                // Placeholders without a value
                row("candidate.id=${NO_VALUE}", "leader-election.candidate.id ", "${NO_VALUE:…}"),
                row("candidate.metadata.url=http://${NO_VALUE}", "candidate.metadata.url ", "Define NO_VALUE"),
                row("elections.orders.path=/a/${NO_VALUE}/b", "elections.orders.path ", "Define NO_VALUE"),
                row("zookeeper.connect-string=${NO_VALUE}", "zookeeper.connect-string ", "Define NO_VALUE"),
                // Addresses
                row(
                        "zookeeper.connect-string=",
                        "No connection to ZooKeeper",
                        "leader-election.zookeeper.connect-string"),
                row("zookeeper.connect-string=2181", "connect-string", "There is no host before port 2181"),
                row("zookeeper.connect-string=:2181", "connect-string", "There is no host before port 2181"),
                row("zookeeper.connect-string=a;b", "connect-string", "is not a host"),
                row("zookeeper.connect-string=a:0", "connect-string", "port 0"),
                row("zookeeper.connect-string=http://a:1", "connect-string", "zk1:2181,zk2:2181"),
                row("zookeeper.ssl.bundle=nope", "leader-election.zookeeper.ssl.bundle is 'nope'", "spring.ssl.bundle"),
                row("zookeeper.auth.scheme=digest", "auth.credentials is not set", "Set both"),
                row("zookeeper.auth.credentials=a:b", "auth.scheme is not set", "Set both"),
                // Values
                row("mode=consul", "leader-election.mode", "LOCAL"),
                row("mode=", "leader-election.mode is empty", "zookeeper or local"),
                row("enabled=maybe", "leader-election.enabled is 'maybe'", "true or false"),
                row("zookeeper.embedded.enabled=maybe", "embedded.enabled is 'maybe'", "true or false"),
                row("zookeeper.acl=world", "leader-election.zookeeper.acl", "CREATOR"),
                row("fail-fast=maybe", "leader-election.fail-fast", "Update your application's configuration"),
                row("drain-timeout=ten", "leader-election.drain-timeout", "Update your application's configuration"),
                row("drain-timeout=-1s", "leader-election.drain-timeout", "Use 0s or more"),
                row("elections.orders.drain-timeout=-1s", "elections.orders.drain-timeout", "Use 0s or more"),
                row("lease=0s", "leader-election.lease", "positive"),
                row("lease=10s", "leader-election.lease", "leader-election.zookeeper.session-timeout"),
                row("recheck-interval=0s", "leader-election.recheck-interval", "positive"),
                row("zookeeper.session-timeout=0s", "zookeeper.session-timeout", "positive"),
                row("zookeeper.connection-timeout=-1s", "zookeeper.connection-timeout", "positive"),
                row("lease=3", "leader-election.lease", "A number without a unit counts milliseconds"),
                row("recheck-interval=30", "recheck-interval", "A number without a unit counts milliseconds"),
                row("zookeeper.session-timeout=10", "zookeeper.session-timeout", "at least 100 ms"),
                row("zookeeper.connection-timeout=15", "zookeeper.connection-timeout", "at least 100 ms"),
                row("drain-timeout=10", "leader-election.drain-timeout", "at least 100 ms"),
                row("elections.orders.drain-timeout=20", "elections.orders.drain-timeout", "at least 100 ms"),
                row("preempt-after=60", "leader-election.preempt-after", "at least 100 ms"),
                row("spread.settle=30", "leader-election.spread.settle", "at least 100 ms"),
                row("leave-when-down.for=10", "leader-election.leave-when-down.for", "at least 100 ms"),
                row("grace=3s", "leader-election.grace", "at most half of the lease"),
                row("grace=-1s", "leader-election.grace", "Use 0s or more"),
                row("candidate.priority=high", "leader-election.candidate.priority", "Update your application"),
                row("elections.orders.priority=1.5", "elections.orders.priority", "Update your application"),
                row("leave-when-down=true", "leave-when-down is 'true'", "leader-election.leave-when-down.enabled"),
                row("leave-when-down.for=0s", "leader-election.leave-when-down.for", "positive"),
                row("spread=true", "leader-election.spread is 'true'", "leader-election.spread.enabled"),
                row("root=", "leader-election.root", "path such as /elections/orders"),
                row("elections[.beats].observe=true", ".beats", "start with a dot"),
                row("root=elections", "leader-election.root", "path such as /elections/orders"),
                row("root=/", "leader-election.root", "Choose another node"),
                row("elections.orders.path=orders", "elections.orders.path", "path such as /elections/orders"),
                row("elections[a/b].observe=true", "a/b", "slash"),
                row("elections.billing.path=/elections/orders", "elections.billing.path is", "a node below the root"));
    }

    private static Arguments row(String property, String description, String action) {
        return Arguments.of(property, description, action);
    }

    static Stream<Arguments> variables() {
        return Stream.of(
                Arguments.of("LEADER_ELECTION_ELECTIONS_BILLING_PATH", "LEADERELECTION_ELECTIONS_BILLING_PATH?"),
                Arguments.of("LEADER_ELECTION_ELECTIONS_ORDERS_PTH", "LEADERELECTION_ELECTIONS_ORDERS_PATH?"),
                Arguments.of("LEADER_ELECTION_ELECTIONS_BILLING", "without dashes"),
                Arguments.of("LEADER_ELECTION_DRAIN_TIMOUT", "LEADERELECTION_DRAINTIMEOUT?"),
                Arguments.of("LEADER_ELECTION_CANDIDATE_METADATA_URL", "without dashes"));
    }

    /** Spring Boot ignores them. */
    @ParameterizedTest
    @MethodSource("variables")
    void environmentVariablesWithoutEffectAreReported(String variable, String action) {
        FailureAnalysis report = FailureReport.of(withVariable(variable));
        assertThat(report.getDescription()).contains(variable);
        assertThat(report.getAction()).contains(action);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LEADER_ELECTION_CANDIDATE_ID",
                "LEADER_ELECTION_ELECTIONS_ORDERS_PATH",
                // Set by Kubernetes for a service named leader-election
                "LEADER_ELECTION_SERVICE_HOST",
                "LEADER_ELECTION_SERVICE_PORT_HTTP",
                "LEADER_ELECTION_PORT",
                "LEADER_ELECTION_PORT_8080_TCP_ADDR"
            })
    void otherEnvironmentVariablesAreNoMistakes(String variable) {
        withVariable(variable)
                .withPropertyValues("leader-election.mode=local")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private ApplicationContextRunner withVariable(String name) {
        return runner.withPropertyValues("leader-election.elections.orders.observe=false")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-systemEnvironment", Map.of(name, "/elections/a"))));
    }

    @Test
    void aPlaceholderWithoutAValueDoesNotRevealTheValue() {
        FailureAnalysis report = FailureReport.of(runner.withPropertyValues(
                "leader-election.elections.orders.observe=false",
                "leader-election.zookeeper.auth.credentials=shop:topsecret${NO_VALUE}"));
        assertThat(report.getDescription()).contains("leader-election.zookeeper.auth.credentials", "${NO_VALUE}");
        assertThat(report.toString() + report.getDescription() + report.getAction() + report.getCause())
                .doesNotContain("topsecret");
    }

    @Test
    void aPlaceholderIsNoMistakeIfAnotherSourceOverridesIt() {
        runner.withPropertyValues(
                        "leader-election.mode=local",
                        "leader-election.elections.orders.observe=false",
                        "leader-election.candidate.id=shop-1")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addLast(new MapPropertySource("file", Map.of("leader-election.candidate.id", "${NO_VALUE}"))))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void digestCredentialsNeedAPassword() {
        FailureAnalysis report = FailureReport.of(runner.withPropertyValues(
                "leader-election.elections.orders.observe=false",
                "leader-election.zookeeper.auth.scheme=digest",
                "leader-election.zookeeper.auth.credentials=topsecret"));
        assertThat(report.getDescription()).contains("leader-election.zookeeper.auth.credentials");
        assertThat(report.getAction()).contains("user:password");
        assertThat(report.getDescription()).doesNotContain("topsecret");
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void isDescribedWithAnAction(String property, String description, String action) {
        FailureAnalysis report = FailureReport.of(runner.withPropertyValues(
                "leader-election.elections.orders.observe=false", "leader-election." + property));
        assertThat(report.getDescription()).contains(description);
        // Spring Boot reports the reason of an invalid value in the description.
        assertThat(report.getDescription() + report.getAction()).contains(action);
        assertThat(report.getAction()).isNotBlank();
    }
}
