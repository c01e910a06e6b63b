package io.github.leaderelection.aop;

import java.lang.reflect.Method;
import java.util.List;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.EventListener;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Resolves the types of the events that a method listens to. */
final class EventTypeResolver {

    private EventTypeResolver() {}

    /** Returns an empty list if the method is not a listener. */
    static List<Class<?>> resolve(Method method, Class<?> type) {
        return isApplicationListener(method, type) ? ofApplicationListener(type) : ofAnnotation(method);
    }

    private static boolean isApplicationListener(Method method, Class<?> type) {
        return ApplicationListener.class.isAssignableFrom(type)
                && method.getName().equals("onApplicationEvent")
                && method.getParameterCount() == 1;
    }

    private static List<Class<?>> ofApplicationListener(Class<?> type) {
        Class<?> event = ResolvableType.forClass(ApplicationListener.class, type)
                .getGeneric()
                .resolve();
        return event == null ? List.of() : List.of(event);
    }

    private static List<Class<?>> ofAnnotation(Method method) {
        MergedAnnotation<EventListener> annotation =
                MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(EventListener.class);
        if (!annotation.isPresent()) {
            return List.of();
        }
        Class<?>[] classes = annotation.getClassArray("classes");
        return List.of(classes.length > 0 ? classes : method.getParameterTypes());
    }
}
