package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.Election;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Tells which elections there are where one is to be injected that there isn't, or that isn't named. */
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
final class NoSuchElectionFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    private final Environment environment;

    NoSuchElectionFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        if (cause.getBeanType() != Election.class) {
            return null;
        }
        Set<String> names = ElectionBeans.names(environment);
        UnsatisfiedDependencyException wanted = innermost(rootFailure);
        Qualifier qualifier = wanted == null || wanted.getInjectionPoint() == null
                ? null
                : wanted.getInjectionPoint().getAnnotation(Qualifier.class);
        String which = qualifier == null ? "An election" : "Election '%s'".formatted(qualifier.value());
        String where = wanted == null || wanted.getInjectionPoint() == null
                ? ""
                : " for %s".formatted(wanted.getInjectionPoint().getMember());
        if (!Switch.ELECTIONS.isOn(environment)) {
            return new FailureAnalysis(
                    "%s cannot be injected%s. Leader election is switched off: leader-election.enabled is false, so that there are no elections."
                            .formatted(which, where),
                    "Set leader-election.enabled to true; for development leader-election.mode=local will do. Or inject an"
                            + " ObjectProvider<Election>, which may be empty.",
                    cause);
        }
        return new FailureAnalysis(
                "%s cannot be injected%s. The configured elections are %s.".formatted(which, where, names),
                names.isEmpty() || qualifier != null
                        ? "Declare the election; its name alone will do: leader-election.elections.%s"
                                .formatted(qualifier == null ? "<name>" : qualifier.value())
                        : "Say which one by its name: @Qualifier(\"%s\") Election."
                                .formatted(names.iterator().next()),
                cause);
    }

    /** The one that is about the election itself, not about who needs it. */
    private static @Nullable UnsatisfiedDependencyException innermost(Throwable failure) {
        UnsatisfiedDependencyException innermost = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsatisfiedDependencyException unsatisfied) {
                innermost = unsatisfied;
            }
        }
        return innermost;
    }
}
