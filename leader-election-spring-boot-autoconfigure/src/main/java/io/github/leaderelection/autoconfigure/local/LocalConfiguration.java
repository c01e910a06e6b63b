package io.github.leaderelection.autoconfigure.local;

import io.github.leaderelection.autoconfigure.CandidateId;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import io.github.leaderelection.autoconfigure.condition.ConditionalOnMode;
import io.github.leaderelection.autoconfigure.condition.Mode;
import io.github.leaderelection.lifecycle.ElectionSource;
import io.github.leaderelection.local.LocalElections;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Elections inside this process. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMode(Mode.LOCAL)
@ConditionalOnMissingBean(ElectionSource.class)
public final class LocalConfiguration {

    LocalConfiguration() {}

    private static final Logger log = LoggerFactory.getLogger(LocalConfiguration.class);

    @Bean
    @ConditionalOnMissingBean
    LocalElections localElections(LeaderElectionProperties properties, Environment environment) {
        log.warn(
                "Elections are local (leader-election.mode): this instance leads them all, and so does every other one");
        return LocalElections.create(
                CandidateId.of(properties, environment), properties.candidate().metadata(), properties.drainTimeout());
    }

    @Bean
    ElectionSource leaderElectionSource(LocalElections elections, LeaderElectionProperties properties) {
        properties.mode().requireBuiltFor(Mode.LOCAL);
        return new LocalElectionSource(elections);
    }
}
