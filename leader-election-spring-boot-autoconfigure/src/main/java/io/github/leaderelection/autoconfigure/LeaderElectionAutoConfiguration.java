package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.aop.LeaderOnlyPostProcessor;
import io.github.leaderelection.autoconfigure.condition.ConditionalOnEnabledProperty;
import io.github.leaderelection.autoconfigure.condition.EnabledProperty;
import io.github.leaderelection.autoconfigure.election.ElectionConfiguration;
import io.github.leaderelection.autoconfigure.local.LocalElectionConfiguration;
import io.github.leaderelection.autoconfigure.zookeeper.ZooKeeperElectionConfiguration;
import io.github.leaderelection.event.ElectionEventPublisher;
import io.github.leaderelection.term.WhileLeaderProcessor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** Auto-configuration for leader election. */
@AutoConfiguration(after = SslAutoConfiguration.class)
@ConditionalOnEnabledProperty(EnabledProperty.LEADER_ELECTION)
@EnableConfigurationProperties(LeaderElectionProperties.class)
@Import({ZooKeeperElectionConfiguration.class, LocalElectionConfiguration.class, ElectionConfiguration.class})
public final class LeaderElectionAutoConfiguration {

    LeaderElectionAutoConfiguration() {}

    /** Defined in each context, even if its parent has one, because it processes only the beans of its own context. */
    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderOnlyPostProcessor leaderOnlyPostProcessor(Environment environment) {
        LeaderOnlyPostProcessor postProcessor = new LeaderOnlyPostProcessor();
        postProcessor.setProxyTargetClass(
                environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
        return postProcessor;
    }

    /** Defined in each context, for the same reason. */
    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    WhileLeaderProcessor whileLeaderProcessor(ValidatedProperties properties, Environment environment) {
        var executor = new SimpleAsyncTaskExecutor("while-leader-");
        executor.setVirtualThreads(Threading.VIRTUAL.isActive(environment));
        return new WhileLeaderProcessor(properties::drainTimeout, executor);
    }

    @Bean
    ValidatedProperties leaderElectionValidatedProperties(
            LeaderElectionProperties properties, Environment environment) {
        return new ValidatedProperties(properties, environment);
    }

    @Bean
    @ConditionalOnMissingBean
    ElectionEventPublisher leaderElectionEventPublisher(ApplicationEventPublisher publisher) {
        return new ElectionEventPublisher(publisher);
    }
}
