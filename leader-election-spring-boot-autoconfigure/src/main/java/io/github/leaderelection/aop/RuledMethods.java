package io.github.leaderelection.aop;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.LeaderOnly.Otherwise;
import io.github.leaderelection.support.MisconfigurationException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the leader-only methods of a class, and refuses those that a proxy could not guard. */
final class RuledMethods {

    private RuledMethods() {}

    /** @throws MisconfigurationException if one of them cannot be guarded */
    static Map<Method, Rule> of(Class<?> type) {
        Map<Method, Rule> methods = new LinkedHashMap<>();
        if (AnnotationUtils.isCandidateClass(type, LeaderOnly.class)) {
            ReflectionUtils.doWithMethods(
                    type,
                    method -> Rule.of(method, type).ifPresent(rule -> {
                        Method actual = ClassUtils.getMostSpecificMethod(method, type);
                        verify(actual, type, rule);
                        methods.put(actual, rule);
                    }),
                    method -> !method.isBridge() && !method.isSynthetic());
        }
        return methods;
    }

    private static void verify(Method method, Class<?> type, Rule rule) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            String kind = Modifier.isPrivate(modifiers) ? "private" : "static";
            throw unusable(
                    method,
                    "it is " + kind + ", so that calls do not pass the bean's proxy",
                    "Make it a public method");
        }
        if (Modifier.isFinal(modifiers)) {
            throw unusable(method, "it is final, so that calls do not pass the bean's proxy", "Make it non-final");
        }
        if (Modifier.isFinal(type.getModifiers()) && type.getInterfaces().length == 0) {
            throw unusable(
                    method,
                    "its class is final, so that there can be no proxy of the bean",
                    "Make the class non-final");
        }
        if (rule.otherwise() == Otherwise.SKIP && !Results.canBeSkipped(method.getReturnType())) {
            throw unusable(
                    method,
                    "it returns %s, for which there is no value when the call is skipped"
                            .formatted(method.getReturnType().getSimpleName()),
                    "Return an object, an Optional or nothing, or use @LeaderOnly(otherwise = THROW)");
        }
        Results.verify(method);
    }

    static MisconfigurationException unusable(Method method, String why, String action) {
        return new MisconfigurationException(
                "The method %s cannot be @LeaderOnly: %s.".formatted(describe(method), why), action + ".");
    }

    static String describe(Method method) {
        return ClassUtils.getQualifiedMethodName(method) + "()";
    }
}
