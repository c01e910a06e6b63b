package io.github.leaderelection.aop;

import io.github.leaderelection.event.OnElectionEndedEvent;
import io.github.leaderelection.event.OnRevokedEvent;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.ClassUtils;

/** What is called only at moments at which this instance does not lead: not yet, or not any more. */
final class CallbackTiming {

    private static final Set<Class<?>> STARTUP_CALLBACKS =
            Set.of(CommandLineRunner.class, ApplicationRunner.class, SmartInitializingSingleton.class);

    private static final Set<Class<?>> STARTUP_EVENTS =
            Set.of(ContextRefreshedEvent.class, ApplicationStartedEvent.class, ApplicationReadyEvent.class);

    private static final Set<Class<?>> FINAL_EVENTS = Set.of(OnRevokedEvent.class, OnElectionEndedEvent.class);

    private CallbackTiming() {}

    /** Elections are joined when the application is ready. */
    static boolean isCalledAtStartup(Method method, Class<?> type) {
        return STARTUP_CALLBACKS.stream()
                        .anyMatch(callback -> callback.isAssignableFrom(type) && declares(callback, method))
                || isToldOnlyOf(STARTUP_EVENTS, method, type);
    }

    private static boolean declares(Class<?> callback, Method method) {
        return ClassUtils.hasMethod(callback, method.getName(), method.getParameterTypes());
    }

    static boolean isToldWhenLeadershipIsOver(Method method, Class<?> type) {
        return isToldOnlyOf(FINAL_EVENTS, method, type);
    }

    private static boolean isToldOnlyOf(Set<Class<?>> events, Method method, Class<?> type) {
        List<Class<?>> heard = EventTypeResolver.of(method, type);
        return !heard.isEmpty() && events.containsAll(heard);
    }
}
