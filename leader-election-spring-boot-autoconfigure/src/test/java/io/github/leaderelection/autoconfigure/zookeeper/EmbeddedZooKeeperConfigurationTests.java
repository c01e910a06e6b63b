package io.github.leaderelection.autoconfigure.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import io.github.leaderelection.autoconfigure.embedded.EmbeddedZooKeeper;
import io.github.leaderelection.support.MisconfigurationException;
import java.nio.file.Path;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class EmbeddedZooKeeperConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class))
            .withPropertyValues("leader-election.zookeeper.embedded.enabled=true", "leader-election.elections.orders=");

    @Test
    void startsServerWithWarning(CapturedOutput output) {
        runner.run(context -> {
            Election election = context.getBean(Election.class);
            election.nominate();
            await().until(election::isLeader);
            assertThat(output).contains("WARN").contains("for development only");
        });
    }

    @Test
    void takesPrecedenceOverConnectString() {
        runner.withPropertyValues("leader-election.zookeeper.connect-string=nowhere.invalid:1")
                .run(context -> assertThat(context.getBean(ZooKeeperConnectionDetails.class)
                                .getConnectString())
                        .isEqualTo(context.getBean(EmbeddedZooKeeper.class).connectString()));
    }

    @Test
    void usesCredentials() {
        runner.withPropertyValues(
                        "leader-election.zookeeper.auth.scheme=digest",
                        "leader-election.zookeeper.auth.credentials=shop:secret")
                .run(context -> {
                    Election election = context.getBean(Election.class);
                    election.nominate();
                    await().until(election::isLeader);
                    try (var stranger = new ZooKeeper(
                            context.getBean(EmbeddedZooKeeper.class).connectString(), 10_000, event -> {})) {
                        assertThatExceptionOfType(KeeperException.NoAuthException.class)
                                .isThrownBy(() -> stranger.getChildren(election.path(), false));
                    }
                });
    }

    @Test
    void keepsDataInConfiguredDirectory(@TempDir Path directory) {
        runner.withPropertyValues("leader-election.zookeeper.embedded.data-directory=" + directory)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(directory).isDirectoryContaining("glob:**version-2");
    }

    @Test
    void reportsMissingLibraries() {
        runner.withClassLoader(new FilteredClassLoader("com.codahale.metrics", "org.xerial.snappy"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(MisconfigurationException.class)
                        .hasMessageContaining("io.dropwizard.metrics:metrics-core")
                        .hasMessageContaining("org.xerial.snappy:snappy-java"));
    }
}
