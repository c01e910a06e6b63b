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
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.ContextStoppedEvent;
import org.springframework.util.ClassUtils;

/** Recognises callbacks that are called only while this instance does not lead. */
final class CallbackTiming {

    private static final Set<Class<?>> STARTUP_CALLBACKS =
            Set.of(CommandLineRunner.class, ApplicationRunner.class, SmartInitializingSingleton.class);
    private static final Set<Class<?>> STARTUP_EVENTS =
            Set.of(ContextRefreshedEvent.class, ApplicationStartedEvent.class, ApplicationReadyEvent.class);
    private static final Set<Class<?>> SHUTDOWN_EVENTS = Set.of(ContextStoppedEvent.class, ContextClosedEvent.class);
    private static final Set<Class<?>> REVOCATION_EVENTS = Set.of(OnRevokedEvent.class, OnElectionEndedEvent.class);

    private CallbackTiming() {}

    /** Whether the method is called only before elections are joined, which happens when the application is ready. */
    static boolean isOnlyAtStartup(Method method, Class<?> type) {
        return STARTUP_CALLBACKS.stream()
                        .anyMatch(callback -> callback.isAssignableFrom(type) && declares(callback, method))
                || listensOnlyTo(STARTUP_EVENTS, method, type);
    }

    private static boolean declares(Class<?> callback, Method method) {
        return ClassUtils.hasMethod(callback, method.getName(), method.getParameterTypes());
    }

    /** Whether the method is called only when the application stops and leaves its elections. */
    static boolean isOnlyAtShutdown(Method method, Class<?> type) {
        return listensOnlyTo(SHUTDOWN_EVENTS, method, type);
    }

    /** Whether the method is called only after the end of a term. */
    static boolean isOnlyAfterLeadership(Method method, Class<?> type) {
        return listensOnlyTo(REVOCATION_EVENTS, method, type);
    }

    private static boolean listensOnlyTo(Set<Class<?>> events, Method method, Class<?> type) {
        List<Class<?>> types = EventTypeResolver.resolve(method, type);
        return !types.isEmpty() && events.containsAll(types);
    }
}
