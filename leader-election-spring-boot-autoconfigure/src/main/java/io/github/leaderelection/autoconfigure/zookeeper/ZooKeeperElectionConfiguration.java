package io.github.leaderelection.autoconfigure.zookeeper;

import io.github.leaderelection.autoconfigure.CandidateIdResolver;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Acl;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Spread;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Zookeeper;
import io.github.leaderelection.autoconfigure.ValidatedProperties;
import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import io.github.leaderelection.autoconfigure.condition.ConditionalOnMode;
import io.github.leaderelection.autoconfigure.condition.Mode;
import io.github.leaderelection.lifecycle.ElectionProvider;
import io.github.leaderelection.zookeeper.ElectionOptions;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import java.util.List;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Configuration of elections on ZooKeeper. The connection is lazy: it is not opened without an election. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMode(Mode.ZOOKEEPER)
@ConditionalOnMissingBean(ElectionProvider.class)
@Import({
    EmbeddedZooKeeperConfiguration.class,
    ZooKeeperConnectionConfigurations.ConnectionDetailsConfiguration.class,
    ZooKeeperConnectionConfigurations.SessionsConfiguration.class,
    ZooKeeperConnectionConfigurations.ClientConfiguration.class
})
@ImportRuntimeHints(ZooKeeperClientRuntimeHints.class)
public final class ZooKeeperElectionConfiguration {

    ZooKeeperElectionConfiguration() {}

    @Bean
    ElectionProvider leaderElectionProvider(
            ObjectProvider<ZooKeeperElections> connection,
            ObjectProvider<ZooKeeperConnectionDetails> details,
            ValidatedProperties validated,
            LeaderElectionProperties properties) {
        properties.mode().requireBuildTimeValue(Mode.ZOOKEEPER);
        return new ZooKeeperElectionProvider(
                connection::getObject,
                () -> address(details.getIfAvailable()),
                validated.elections(),
                properties.failFast());
    }

    @Bean
    ConnectionReminder leaderElectionConnectionReminder(
            ElectionProvider provider, ObjectProvider<ZooKeeperConnectionDetails> details) {
        return new ConnectionReminder(provider, () -> address(details.getIfAvailable()));
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    ElectionOptions leaderElectionOptions(
            LeaderElectionProperties properties,
            ValidatedProperties validated,
            Environment environment,
            ObjectProvider<ZooKeeperConnectionDetails> details) {
        ElectionOptions options = ElectionOptions.defaults()
                .candidate(
                        CandidateIdResolver.resolve(properties, environment),
                        properties.candidate().metadata())
                .application(
                        environment.getProperty("spring.application.name", "").strip())
                .drainTimeout(properties.drainTimeout())
                .recheckInterval(properties.recheckInterval())
                .connectionTimeout(properties.zookeeper().connectionTimeout())
                .createPaths(properties.createPaths())
                .failFast(properties.failFast())
                .root(validated.root())
                .acl(acl(properties.zookeeper(), details.getIfAvailable()));
        options = properties.lease() == null ? options : options.lease(properties.lease());
        options = properties.preemptAfter() == null ? options : options.preemptAfter(properties.preemptAfter());
        Spread spread = properties.spread();
        options = spread.enabled() ? options.spread(spread.settle(), spread.concurrency()) : options;
        return properties.grace() == null ? options : options.grace(properties.grace());
    }

    private static @Nullable String address(@Nullable ZooKeeperConnectionDetails details) {
        return details == null ? null : details.getConnectString();
    }

    private static List<ACL> acl(Zookeeper properties, @Nullable ZooKeeperConnectionDetails details) {
        Acl configured = properties.acl();
        boolean creator = configured == null ? hasCredentials(properties, details) : configured == Acl.CREATOR;
        return creator ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
    }

    /** A connection of the application has no details, so the properties say whether it has credentials. */
    private static boolean hasCredentials(Zookeeper properties, @Nullable ZooKeeperConnectionDetails details) {
        return details != null
                ? details.getAuthScheme() != null
                : properties.auth().scheme() != null;
    }
}
