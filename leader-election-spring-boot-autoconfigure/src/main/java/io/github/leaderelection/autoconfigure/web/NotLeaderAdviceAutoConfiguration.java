package io.github.leaderelection.autoconfigure.web;

import io.github.leaderelection.Elections;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.autoconfigure.condition.ConditionalOnEnabledProperty;
import io.github.leaderelection.autoconfigure.condition.EnabledProperty;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Auto-configuration for the responses of controllers that need leadership, with Spring MVC and Spring WebFlux. */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnClass({RestControllerAdvice.class, ProblemDetail.class})
@ConditionalOnBean(Elections.class)
@ConditionalOnEnabledProperty(EnabledProperty.PROBLEM_DETAILS)
public final class NotLeaderAdviceAutoConfiguration {

    NotLeaderAdviceAutoConfiguration() {}

    @Bean
    ObservedLeaders electionObservedLeaders() {
        return new ObservedLeaders();
    }

    @Bean
    NotLeaderAdvice electionNotLeaderAdvice(Elections elections, ObservedLeaders observed) {
        return new NotLeaderAdvice(elections, observed);
    }
}
