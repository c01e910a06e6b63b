package io.github.leaderelection.aop;

import java.lang.reflect.Method;
import java.util.List;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.EventListener;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** The types of the events that a method is called for; none if it does not listen. */
final class EventTypeResolver {

    private EventTypeResolver() {}

    static List<Class<?>> of(Method method, Class<?> type) {
        return isOfListener(method, type) ? ofListener(type) : annotated(method);
    }

    private static boolean isOfListener(Method method, Class<?> type) {
        return ApplicationListener.class.isAssignableFrom(type)
                && method.getName().equals("onApplicationEvent")
                && method.getParameterCount() == 1;
    }

    private static List<Class<?>> ofListener(Class<?> type) {
        Class<?> event = ResolvableType.forClass(ApplicationListener.class, type)
                .getGeneric()
                .resolve();
        return event == null ? List.of() : List.of(event);
    }

    private static List<Class<?>> annotated(Method method) {
        MergedAnnotation<EventListener> listener =
                MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(EventListener.class);
        if (!listener.isPresent()) {
            return List.of();
        }
        Class<?>[] named = listener.getClassArray("classes");
        return List.of(named.length > 0 ? named : method.getParameterTypes());
    }
}
