package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

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
                row("root=elections", "leader-election.root", "path such as /elections/orders"),
                row("root=/", "leader-election.root", "Choose another node"),
                row("elections.orders.path=orders", "elections.orders.path", "path such as /elections/orders"),
                row("elections[a/b].observe=true", "a/b", "slash"),
                row("elections.billing.path=/elections/orders", "elections.billing.path is", "a node below the root"));
    }

    private static Arguments row(String property, String description, String action) {
        return Arguments.of(property, description, action);
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
