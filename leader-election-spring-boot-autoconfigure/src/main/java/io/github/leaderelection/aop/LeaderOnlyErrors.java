package io.github.leaderelection.aop;

import io.github.leaderelection.support.MisconfigurationException;
import java.lang.reflect.Method;
import org.springframework.util.ClassUtils;

/** Creates the exceptions for methods that cannot be annotated with {@code @LeaderOnly}. */
final class LeaderOnlyErrors {

    private LeaderOnlyErrors() {}

    static MisconfigurationException unsupportedMethod(Method method, String reason, String action) {
        return new MisconfigurationException(
                "The method %s cannot be @LeaderOnly: %s.".formatted(describe(method), reason), action + ".");
    }

    static String describe(Method method) {
        return ClassUtils.getQualifiedMethodName(method) + "()";
    }
}
