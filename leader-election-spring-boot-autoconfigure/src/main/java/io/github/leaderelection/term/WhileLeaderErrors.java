package io.github.leaderelection.term;

import io.github.leaderelection.support.MisconfigurationException;
import java.lang.reflect.Method;
import org.springframework.util.ClassUtils;

/** Creates the exceptions for elements that cannot be annotated with {@code @WhileLeader}. */
final class WhileLeaderErrors {

    private WhileLeaderErrors() {}

    static MisconfigurationException unsupported(String element, String reason, String action) {
        return new MisconfigurationException(
                "The %s cannot be @WhileLeader: %s.".formatted(element, reason), action + ".");
    }

    static String describe(Method method) {
        return "method " + ClassUtils.getQualifiedMethodName(method) + "()";
    }

    static String describe(String beanName, Class<?> type) {
        return "bean '%s' of type %s".formatted(beanName, type.getName());
    }
}
