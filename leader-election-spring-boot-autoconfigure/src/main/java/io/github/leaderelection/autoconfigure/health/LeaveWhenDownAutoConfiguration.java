package io.github.leaderelection.autoconfigure.health;

import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties.LeaveWhenDown;
import io.github.leaderelection.autoconfigure.condition.ConditionalOnEnabledProperty;
import io.github.leaderelection.autoconfigure.condition.EnabledProperty;
import io.github.leaderelection.lifecycle.ApplicationElections;
import io.github.leaderelection.lifecycle.UnhealthyCandidateMonitor;
import io.github.leaderelection.support.MisconfigurationException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.health.registry.ReactiveHealthContributorRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;

/** Auto-configuration for leaving elections while the application is unhealthy. */
@AutoConfiguration(
        after = LeaderElectionAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration",
            "org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration"
        })
@ConditionalOnEnabledProperty(EnabledProperty.LEAVE_WHEN_DOWN)
@ConditionalOnBean(ApplicationElections.class)
public final class LeaveWhenDownAutoConfiguration {

    private static final String REGISTRY = "org.springframework.boot.health.registry.HealthContributorRegistry";

    LeaveWhenDownAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthContributorRegistry.class)
    static class HealthConfiguration {

        @Bean
        UnhealthyCandidateMonitor electionUnhealthyCandidateMonitor(
                ApplicationElections elections,
                LeaderElectionProperties properties,
                ObjectProvider<HealthContributorRegistry> registry,
                ObjectProvider<ReactiveHealthContributorRegistry> reactiveRegistry,
                ObjectProvider<HealthEndpointGroups> groups) {
            LeaveWhenDown settings = properties.leaveWhenDown();
            HealthContributorRegistry contributors = registry.getIfAvailable();
            if (contributors == null) {
                throw withoutHealth();
            }
            ReactiveHealthContributorRegistry reactive = reactiveRegistry.getIfAvailable();
            HealthContributors all = reactive == null
                    ? contributors
                    : HealthContributors.of(contributors, reactive.asHealthContributors());
            return new UnhealthyCandidateMonitor(
                    elections,
                    new HealthGroup(all, members(settings.group(), groups.getIfAvailable())),
                    settings.tolerance());
        }

        /** The health of elections is excluded: while it is down, other instances usually cannot lead either. */
        private static Predicate<String> members(@Nullable String name, @Nullable HealthEndpointGroups groups) {
            Predicate<String> others = member -> !member.equals("election");
            if (!StringUtils.hasText(name)) {
                return others;
            }
            HealthEndpointGroup group = groups == null ? null : groups.get(name);
            if (group == null) {
                throw new MisconfigurationException(
                        "leader-election.leave-when-down.group is '%s', but there is no such health group; there are %s."
                                .formatted(name, groups == null ? "none" : groups.getNames()),
                        "Define the group: management.endpoint.health.group.%s.include. Or remove the property to use all of the application's health."
                                .formatted(name));
            }
            return others.and(group::isMember);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(REGISTRY)
    static class WithoutHealthConfiguration {

        WithoutHealthConfiguration() {
            throw withoutHealth();
        }
    }

    private static MisconfigurationException withoutHealth() {
        return new MisconfigurationException(
                "leader-election.leave-when-down.enabled is true, but the application has no health.",
                "Add the dependency spring-boot-starter-actuator, or set leader-election.leave-when-down.enabled to false.");
    }
}
