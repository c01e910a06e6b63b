package io.github.leaderelection.autoconfigure.local;

import io.github.leaderelection.autoconfigure.CandidateIdResolver;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import io.github.leaderelection.autoconfigure.condition.ConditionalOnMode;
import io.github.leaderelection.autoconfigure.condition.Mode;
import io.github.leaderelection.lifecycle.ElectionProvider;
import io.github.leaderelection.local.LocalElections;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Configuration of elections inside this process. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMode(Mode.LOCAL)
@ConditionalOnMissingBean(ElectionProvider.class)
public final class LocalElectionConfiguration {

    LocalElectionConfiguration() {}

    private static final Logger log = LoggerFactory.getLogger(LocalElectionConfiguration.class);

    @Bean
    @ConditionalOnMissingBean
    LocalElections localElections(LeaderElectionProperties properties, Environment environment) {
        log.warn(
                "Elections are held inside this process (leader-election.mode=local): every instance leads all of them");
        return LocalElections.create(
                CandidateIdResolver.resolve(properties, environment),
                properties.candidate().metadata(),
                properties.drainTimeout());
    }

    @Bean
    ElectionProvider leaderElectionProvider(LocalElections elections, LeaderElectionProperties properties) {
        properties.mode().requireBuildTimeValue(Mode.LOCAL);
        return new LocalElectionProvider(elections);
    }
}
