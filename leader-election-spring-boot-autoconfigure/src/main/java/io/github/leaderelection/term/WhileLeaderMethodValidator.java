package io.github.leaderelection.term;

import static io.github.leaderelection.term.WhileLeaderErrors.describe;
import static io.github.leaderelection.term.WhileLeaderErrors.unsupported;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.aop.MessageListenerMethod;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import org.springframework.context.event.EventListener;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;

/** Rejects {@code @WhileLeader} on methods that cannot be called once per term. */
final class WhileLeaderMethodValidator {

    private static final Set<Class<? extends Annotation>> CALLED_OTHERWISE =
            Set.of(Scheduled.class, EventListener.class, Async.class);

    private WhileLeaderMethodValidator() {}

    /** Validates a method that is called for a term, rather than by a message broker. */
    static void validate(Method method, Class<?> type) {
        MessageListenerMethod.annotation(method).ifPresent(annotation -> {
            throw unsupported(
                    describe(method),
                    "it is a @%s, and cannot be started and stopped by itself".formatted(annotation),
                    MessageListenerMethod.alternative(method));
        });
        validateModifiers(method);
        validateSignature(method);
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        for (Class<? extends Annotation> other : CALLED_OTHERWISE) {
            if (annotations.isPresent(other)) {
                throw unsupported(
                        describe(method),
                        "it is called once per term, which does not go together with @" + other.getSimpleName(),
                        "Remove @WhileLeader and annotate the method with @LeaderOnly, or remove @"
                                + other.getSimpleName());
            }
        }
        if (MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).isPresent(Async.class)) {
            throw unsupported(
                    describe(method),
                    "its class is @Async, so that calls return before the work is done",
                    "Move the method to a class that is not @Async");
        }
    }

    /** Applies to message listeners too. */
    static void requireNotLeaderOnly(Method method) {
        if (MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(LeaderOnly.class)) {
            throw unsupported(
                    describe(method),
                    "it is @LeaderOnly too, which is for methods that others call",
                    "Remove @LeaderOnly: the method runs only while this instance leads");
        }
    }

    private static void validateModifiers(Method method) {
        int modifiers = method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL);
        if (modifiers != 0) {
            throw unsupported(
                    describe(method),
                    "it is %s, so that a proxy of the bean could not call it".formatted(Modifier.toString(modifiers)),
                    "Make it a public method that is neither static nor final");
        }
    }

    private static void validateSignature(Method method) {
        boolean suspending = KotlinDetector.isSuspendingFunction(method);
        // The last parameter of a suspending function is its continuation, and its signature does not say what it
        // returns.
        int count = method.getParameterCount() - (suspending ? 1 : 0);
        Class<?> returned = suspending ? new MethodParameter(method, -1).getParameterType() : method.getReturnType();
        if (count > 1 || count == 1 && method.getParameterTypes()[0] != Leadership.class) {
            throw unsupported(
                    describe(method),
                    "there is no value for its parameters",
                    "Declare no parameter, or one of type Leadership");
        }
        if (returned != void.class) {
            throw unsupported(
                    describe(method),
                    "it returns %s, and nothing uses the result".formatted(returned.getSimpleName()),
                    "Let it return nothing, and only when its work is done");
        }
    }
}
