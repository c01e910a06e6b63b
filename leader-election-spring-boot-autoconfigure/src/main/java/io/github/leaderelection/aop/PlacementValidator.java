package io.github.leaderelection.aop;

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

/** Refuses {@code @LeaderOnly} in places where a proxy could guard calls, but not those that are meant. */
final class PlacementValidator {

    /** By name: it need not be on the class path. */
    private static final String POST_CONSTRUCT = "jakarta.annotation.PostConstruct";

    private PlacementValidator() {}

    /** Skipped where this instance does not lead, its methods would leave the application without beans. */
    static void verifyClass(Class<?> type) {
        if (LeaderOnlyAttribute.declaredOn(type).isPresent()
                && MergedAnnotations.from(type, SearchStrategy.INHERITED_ANNOTATIONS)
                        .isPresent(Configuration.class)) {
            throw new MisconfigurationException(
                    "@LeaderOnly cannot be put on a @Configuration class: %s makes beans, which every instance needs."
                            .formatted(type.getName()),
                    "Put it on the methods of the beans.");
        }
    }

    static void verifyMethod(Method method, Class<?> type) {
        if (MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(Bean.class)) {
            throw new MisconfigurationException(
                    "@LeaderOnly cannot be put on a @Bean method: %s makes a bean, which every instance needs."
                            .formatted(LeaderOnlyMethodFinder.describe(method)),
                    "Put it on the methods of the bean.");
        }
        if (isScheduled(method)) {
            // So there are other calls of it.
            return;
        }
        if (CallbackTiming.isCalledAtStartup(method, type)) {
            throw LeaderOnlyMethodFinder.unusable(
                    method,
                    "it is called while the application starts, when this instance does not take part in an election yet, so that it would never run",
                    "Do the work when leadership is granted, in a listener of OnGrantedEvent");
        }
        if (CallbackTiming.isToldWhenLeadershipIsOver(method, type)) {
            throw LeaderOnlyMethodFinder.unusable(
                    method,
                    "it is told when leadership is over, so that it would be skipped just then",
                    "Leave the annotation away. If it is another election that has to be led, ask that one inside, by runIfLeader()");
        }
    }

    /**
     * What Spring calls by itself in a class that is leader-only as a whole is surely meant to be, but the class's
     * annotation is for public methods.
     */
    static void verifyUncovered(Class<?> type) {
        if (LeaderOnlyAttribute.declaredOn(type).isPresent()) {
            ReflectionUtils.doWithMethods(type, method -> {
                Method actual = ClassUtils.getMostSpecificMethod(method, type);
                if (isTriggered(actual) && LeaderOnlyAttribute.of(actual, type).isEmpty()) {
                    throw new MisconfigurationException(
                            "The method %s is not covered by the @LeaderOnly of its class, which is for public methods: it is %s, and would run on every instance."
                                    .formatted(LeaderOnlyMethodFinder.describe(actual), visibility(actual)),
                            "Make it public, or put @LeaderOnly on the method.");
                }
            });
        }
    }

    /** Looked for as Spring does: listeners also where an overridden method is annotated, schedules not. */
    private static boolean isTriggered(Method method) {
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

    /**
     * Initialisation is called on the bean itself. A class's annotation may go with it: what has to be ready before the
     * work begins is not what is meant by it.
     */
    static void verifyInitialisation(Class<?> type) {
        ReflectionUtils.doWithMethods(
                type,
                method -> {
                    if (LeaderOnlyAttribute.declaredOn(method).isPresent()) {
                        throw LeaderOnlyMethodFinder.unusable(
                                method,
                                "it initialises the bean, which comes before the bean's proxy",
                                "Do the work in another method, which is called later: by OnGrantedEvent, say");
                    }
                },
                method -> method.getParameterCount() == 0 && initialises(method, type));
    }

    private static boolean initialises(Method method, Class<?> type) {
        return method.getName().equals("afterPropertiesSet") && InitializingBean.class.isAssignableFrom(type)
                || Arrays.stream(method.getDeclaredAnnotations())
                        .anyMatch(annotation ->
                                annotation.annotationType().getName().equals(POST_CONSTRUCT));
    }
}
