package io.github.leaderelection.autoconfigure.diagnostics;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.autoconfigure.condition.EnabledProperty;
import io.github.leaderelection.autoconfigure.election.ElectionNames;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Explains why an election cannot be injected, and lists those that are configured. */
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
final class NoSuchElectionFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    private final Environment environment;

    NoSuchElectionFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        boolean ambiguous = cause instanceof NoUniqueBeanDefinitionException;
        if (cause.getBeanType() == Election.class) {
            return analyzeElection(innermostInjectionPoint(rootFailure), ambiguous, cause);
        }
        if (cause.getBeanType() == Elections.class && !ambiguous) {
            return analyzeElections(innermostInjectionPoint(rootFailure), cause);
        }
        return null;
    }

    private FailureAnalysis analyzeElection(
            @Nullable InjectionPoint injectionPoint, boolean ambiguous, Throwable cause) {
        String name = qualifier(injectionPoint);
        String problem = problem(name == null ? "An election" : "Election '%s'".formatted(name), injectionPoint);
        if (!EnabledProperty.LEADER_ELECTION.isEnabled(environment)) {
            return disabled(problem, Election.class, cause);
        }
        Set<String> names = ElectionNames.configured(environment);
        if (!ambiguous && (name == null ? !names.isEmpty() : names.contains(name))) {
            String beanName =
                    ElectionNames.beanName(name == null ? names.iterator().next() : name);
            return notAutoConfigured(problem, "add a bean TestElection named %s".formatted(beanName), cause);
        }
        return new FailureAnalysis(
                "%s The configured elections are %s.".formatted(problem, names),
                names.isEmpty() || name != null
                        ? "Declare the election. Its name is sufficient: leader-election.elections.%s"
                                .formatted(name == null ? "<name>" : name)
                        : "Select an election by its name: @Qualifier(\"%s\") Election."
                                .formatted(names.iterator().next()),
                cause);
    }

    private FailureAnalysis analyzeElections(@Nullable InjectionPoint injectionPoint, Throwable cause) {
        String problem = problem("The Elections bean", injectionPoint);
        return EnabledProperty.LEADER_ELECTION.isEnabled(environment)
                ? notAutoConfigured(problem, "add a bean of type Elections", cause)
                : disabled(problem, Elections.class, cause);
    }

    private static FailureAnalysis disabled(String problem, Class<?> type, Throwable cause) {
        return new FailureAnalysis(
                "%s Leader election is disabled: leader-election.enabled is false.".formatted(problem),
                "Set leader-election.enabled to true. For development, use leader-election.mode=local. Or inject an ObjectProvider<%s>, which may be empty."
                        .formatted(type.getSimpleName()),
                cause);
    }

    /** The auto-configuration would have defined a bean for each configured election. */
    private static FailureAnalysis notAutoConfigured(String problem, String replacement, Throwable cause) {
        return new FailureAnalysis(
                "%s The auto-configuration of leader election is not part of this context: it is excluded, or this is a test of a slice, such as @WebMvcTest."
                        .formatted(problem),
                "In a test, %s, or add @ImportAutoConfiguration(LeaderElectionAutoConfiguration.class). Otherwise, do not exclude the auto-configuration."
                        .formatted(replacement),
                cause);
    }

    private static String problem(String what, @Nullable InjectionPoint injectionPoint) {
        return injectionPoint == null
                ? "%s could not be injected.".formatted(what)
                : "%s could not be injected into %s.".formatted(what, injectionPoint.getMember());
    }

    private static @Nullable String qualifier(@Nullable InjectionPoint injectionPoint) {
        Qualifier qualifier = injectionPoint == null ? null : injectionPoint.getAnnotation(Qualifier.class);
        return qualifier == null ? null : qualifier.value();
    }

    /** Returns where the election is injected, rather than where the bean that needs it is injected. */
    private static @Nullable InjectionPoint innermostInjectionPoint(Throwable failure) {
        InjectionPoint innermost = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsatisfiedDependencyException unsatisfied) {
                innermost = unsatisfied.getInjectionPoint();
            }
        }
        return innermost;
    }
}
