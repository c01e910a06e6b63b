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

/** Tells which elections there are where one is to be injected that there isn't, or that isn't named. */
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
final class NoSuchElectionFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    private final Environment environment;

    NoSuchElectionFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        boolean several = cause instanceof NoUniqueBeanDefinitionException;
        if (cause.getBeanType() == Election.class) {
            InjectionPoint place = innermost(rootFailure);
            String name = name(place);
            return explain(name == null ? "An election" : "Election '%s'".formatted(name), place, name, several, cause);
        }
        return cause.getBeanType() == Elections.class && !several ? explainAll(innermost(rootFailure), cause) : null;
    }

    private FailureAnalysis explain(
            String what, @Nullable InjectionPoint place, @Nullable String name, boolean several, Throwable cause) {
        if (!EnabledProperty.ELECTIONS.isOn(environment)) {
            return switchedOff(what, place, Election.class, cause);
        }
        Set<String> names = ElectionNames.configured(environment);
        if (!several && (name == null ? !names.isEmpty() : names.contains(name))) {
            return notPartOfTheContext(
                    what,
                    place,
                    "add a bean TestElection named %s"
                            .formatted(ElectionNames.beanName(
                                    name == null ? names.iterator().next() : name)),
                    cause);
        }
        return new FailureAnalysis(
                "%s The configured elections are %s.".formatted(missing(what, place), names),
                names.isEmpty() || name != null
                        ? "Declare the election; its name alone will do: leader-election.elections.%s"
                                .formatted(name == null ? "<name>" : name)
                        : "Say which one by its name: @Qualifier(\"%s\") Election."
                                .formatted(names.iterator().next()),
                cause);
    }

    private FailureAnalysis explainAll(@Nullable InjectionPoint place, Throwable cause) {
        String what = "The elections";
        return EnabledProperty.ELECTIONS.isOn(environment)
                ? notPartOfTheContext(what, place, "add a bean of type Elections", cause)
                : switchedOff(what, place, Elections.class, cause);
    }

    private static FailureAnalysis switchedOff(
            String what, @Nullable InjectionPoint place, Class<?> type, Throwable cause) {
        return new FailureAnalysis(
                "%s Leader election is switched off: leader-election.enabled is false, so that there are no elections."
                        .formatted(missing(what, place)),
                "Set leader-election.enabled to true; for development leader-election.mode=local will do. Or inject an ObjectProvider<%s>, which may be empty."
                        .formatted(type.getSimpleName()),
                cause);
    }

    /** Otherwise there would be a bean for whatever is configured. */
    private static FailureAnalysis notPartOfTheContext(
            String what, @Nullable InjectionPoint place, String standIn, Throwable cause) {
        return new FailureAnalysis(
                "%s The auto-configuration of leader election is not part of this context: it is excluded, or this is a test of a slice, such as @WebMvcTest."
                        .formatted(missing(what, place)),
                "In a test %s, or add @ImportAutoConfiguration(LeaderElectionAutoConfiguration.class). Elsewhere do not exclude it."
                        .formatted(standIn),
                cause);
    }

    private static String missing(String what, @Nullable InjectionPoint place) {
        return "%s cannot be injected%s.".formatted(what, place == null ? "" : " for %s".formatted(place.getMember()));
    }

    private static @Nullable String name(@Nullable InjectionPoint place) {
        Qualifier qualifier = place == null ? null : place.getAnnotation(Qualifier.class);
        return qualifier == null ? null : qualifier.value();
    }

    /** Where the election itself is wanted, not those who need it. */
    private static @Nullable InjectionPoint innermost(Throwable failure) {
        InjectionPoint innermost = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsatisfiedDependencyException unsatisfied) {
                innermost = unsatisfied.getInjectionPoint();
            }
        }
        return innermost;
    }
}
