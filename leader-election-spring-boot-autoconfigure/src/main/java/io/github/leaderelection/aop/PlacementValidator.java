package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyErrors.describe;
import static io.github.leaderelection.aop.LeaderOnlyErrors.unsupportedMethod;

import io.github.leaderelection.support.MisconfigurationException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.springframework.beans.factory.InitializingBean;
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

    /** By name, because it may not be on the class path. */
    private static final String POST_CONSTRUCT = "jakarta.annotation.PostConstruct";

    private PlacementValidator() {}

    static void validateClass(Class<?> type) {
        if (LeaderOnlyAttribute.declaredOn(type).isPresent()) {
            if (MergedAnnotations.from(type, SearchStrategy.INHERITED_ANNOTATIONS)
                    .isPresent(Configuration.class)) {
                throw new MisconfigurationException(
                        "@LeaderOnly is not supported on @Configuration classes: every instance needs the beans of %s."
                                .formatted(type.getName()),
                        "Annotate methods of the beans instead.");
            }
            ReflectionUtils.doWithMethods(
                    type, method -> validateCovered(ClassUtils.getMostSpecificMethod(method, type), type));
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

    static void validateMethod(Method method, Class<?> type) {
        if (MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(Bean.class)) {
            throw new MisconfigurationException(
                    "@LeaderOnly is not supported on @Bean methods: every instance needs the bean of %s."
                            .formatted(describe(method)),
                    "Annotate methods of the bean instead.");
        }
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
        if (CallbackTiming.isOnlyAfterLeadership(method, type)) {
            throw unsupportedMethod(
                    method,
                    "it is called when leadership is over, so that it would always be skipped",
                    "Remove the annotation. If another election has to be led, use its runIfLeader() method");
        }
    }

    /** Searches like Spring does: for listeners also in overridden methods, for schedules not. */
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
                    if (LeaderOnlyAttribute.declaredOn(method).isPresent()) {
                        throw unsupportedMethod(
                                method,
                                "it initialises the bean, which happens before the bean has a proxy",
                                "Do the work in another method that is called later, such as a listener of OnGrantedEvent");
                    }
                },
                method -> method.getParameterCount() == 0 && isInitialisation(method, type));
    }

    private static boolean isInitialisation(Method method, Class<?> type) {
        return method.getName().equals("afterPropertiesSet") && InitializingBean.class.isAssignableFrom(type)
                || Arrays.stream(method.getDeclaredAnnotations())
                        .anyMatch(annotation ->
                                annotation.annotationType().getName().equals(POST_CONSTRUCT));
    }
}
