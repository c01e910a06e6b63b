package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyErrors.describe;
import static io.github.leaderelection.aop.LeaderOnlyErrors.unsupportedMethod;

import io.github.leaderelection.LeaderOnly.Otherwise;
import io.github.leaderelection.support.MisconfigurationException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Rejects {@code @LeaderOnly} where a proxy could intercept calls, but the annotation would not do what it promises. */
final class PlacementValidator {

    private PlacementValidator() {}

    static void validateClass(Class<?> type) {
        Optional<LeaderOnlyAttribute> attribute = LeaderOnlyAttribute.declaredOn(type);
        if (attribute.isPresent()) {
            if (MergedAnnotations.from(type, SearchStrategy.INHERITED_ANNOTATIONS)
                    .isPresent(Configuration.class)) {
                throw new MisconfigurationException(
                        "@LeaderOnly is not supported on @Configuration classes: every instance needs the beans of %s."
                                .formatted(type.getName()),
                        "Annotate methods of the beans instead.");
            }
            ReflectionUtils.doWithMethods(type, declared -> {
                Method method = ClassUtils.getMostSpecificMethod(declared, type);
                if (LeaderOnlyAttribute.declaredOn(method).isEmpty() && !LeaderOnlyAttribute.isWhileLeader(method)) {
                    validateMessageListener(method, attribute.get());
                    validateCovered(method, type);
                }
            });
        }
    }

    /** A method that Spring calls is certainly meant to be leader-only, but may not be public. */
    private static void validateCovered(Method method, Class<?> type) {
        if (isCalledBySpring(method) && LeaderOnlyAttribute.find(method, type).isEmpty()) {
            throw new MisconfigurationException(
                    "The method %s is not covered by the @LeaderOnly annotation of its class, which applies to public methods: it is %s, and would run on every instance."
                            .formatted(describe(method), visibility(method)),
                    "Make the method public, or annotate it with @LeaderOnly.");
        }
    }

    static void validateMethod(Method method, Class<?> type, LeaderOnlyAttribute attribute) {
        if (MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(Bean.class)) {
            throw new MisconfigurationException(
                    "@LeaderOnly is not supported on @Bean methods: every instance needs the bean of %s."
                            .formatted(describe(method)),
                    "Annotate methods of the bean instead.");
        }
        BeanCallback.of(method, type).ifPresent(callback -> {
            throw unsupportedMethod(method, callback.reason(), callback.action());
        });
        validateMessageListener(method, attribute);
        if (isScheduled(method)) {
            // It is not called by events alone.
            return;
        }
        if (CallbackTiming.isOnlyAtStartup(method, type)) {
            throw unsupportedMethod(
                    method,
                    "it is called while the application starts, before this instance joins its elections, so that it would never run",
                    "Do the work when leadership is granted, in a listener of OnGrantedEvent");
        }
        if (CallbackTiming.isOnlyAtShutdown(method, type)) {
            throw unsupportedMethod(
                    method,
                    "it is called when the application stops, when this instance leaves its elections",
                    "Do the work when leadership ends, in a listener of OnRevokedEvent");
        }
        if (CallbackTiming.isOnlyAfterLeadership(method, type)) {
            throw unsupportedMethod(
                    method,
                    "it is called when leadership is over, so that it would always be skipped",
                    "Remove the annotation. If another election has to be led, use its runIfLeader() method");
        }
    }

    /** Skipped messages would be lost, because the broker considers them handled. */
    private static void validateMessageListener(Method method, LeaderOnlyAttribute attribute) {
        if (attribute.otherwise() == Otherwise.SKIP) {
            MessageListenerMethod.annotation(method).ifPresent(annotation -> {
                throw unsupportedMethod(
                        method,
                        "it is a @%s, and instances that do not lead would acknowledge messages without handling them"
                                .formatted(annotation),
                        MessageListenerMethod.alternative(method));
            });
        }
    }

    /** Searches as Spring does: overridden methods are searched for listeners, but not for schedules. */
    private static boolean isCalledBySpring(Method method) {
        return isScheduled(method)
                || MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(EventListener.class);
    }

    private static boolean isScheduled(Method method) {
        return MergedAnnotations.from(method).isPresent(Scheduled.class);
    }

    private static String visibility(Method method) {
        int modifiers = method.getModifiers() & (Modifier.STATIC | Modifier.PROTECTED | Modifier.PRIVATE);
        return modifiers == 0 ? "package-private" : Modifier.toString(modifiers);
    }

    /** Rejects annotated initialisation methods, which are called without the proxy. Annotated classes may have them. */
    static void validateInitialisation(Class<?> type) {
        ReflectionUtils.doWithMethods(
                type,
                method -> {
                    BeanCallback callback = BeanCallback.INITIALISATION;
                    if (LeaderOnlyAttribute.declaredOn(method).isPresent()) {
                        throw unsupportedMethod(method, callback.reason(), callback.action());
                    }
                },
                method -> BeanCallback.INITIALISATION.includes(method, type));
    }
}
