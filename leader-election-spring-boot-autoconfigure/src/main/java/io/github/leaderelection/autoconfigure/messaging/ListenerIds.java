package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.support.MisconfigurationException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.Map;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Reads the attribute {@code id} of listener annotations. */
final class ListenerIds {

    private ListenerIds() {}

    /** Includes repeated annotations. */
    static List<String> of(AnnotatedElement element, Class<? extends Annotation> annotation) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).stream(annotation)
                .map(listener -> listener.getString("id"))
                .toList();
    }

    static Map<String, SmartLifecycle> require(Map<String, SmartLifecycle> containers, String annotation, String id) {
        if (containers.isEmpty()) {
            throw new MisconfigurationException(
                    "@WhileLeader has found no container for %s(id = \"%s\").".formatted(annotation, id),
                    "Add a starter for the broker, or enable its listeners, so that %s works.".formatted(annotation));
        }
        return containers;
    }
}
