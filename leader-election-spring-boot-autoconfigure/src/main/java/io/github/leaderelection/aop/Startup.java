package io.github.leaderelection.aop;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** What is called once, while the application starts: elections are joined when it is ready, so nobody leads yet. */
final class Startup {

    private static final Set<Class<?>> CALLBACKS =
            Set.of(CommandLineRunner.class, ApplicationRunner.class, SmartInitializingSingleton.class);

    private static final Set<Class<?>> EVENTS =
            Set.of(ContextRefreshedEvent.class, ApplicationStartedEvent.class, ApplicationReadyEvent.class);

    private Startup() {}

    static boolean calls(Method method, Class<?> type) {
        return CALLBACKS.stream().anyMatch(callback -> callback.isAssignableFrom(type) && declares(callback, method))
                || listensToStartup(method);
    }

    private static boolean declares(Class<?> callback, Method method) {
        return ClassUtils.hasMethod(callback, method.getName(), method.getParameterTypes());
    }

    private static boolean listensToStartup(Method method) {
        MergedAnnotation<EventListener> listener =
                MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(EventListener.class);
        if (!listener.isPresent()) {
            return false;
        }
        List<Class<?>> told = List.of(listener.getClassArray("classes"));
        List<Class<?>> events = told.isEmpty() ? List.of(method.getParameterTypes()) : told;
        return !events.isEmpty() && EVENTS.containsAll(events);
    }
}
