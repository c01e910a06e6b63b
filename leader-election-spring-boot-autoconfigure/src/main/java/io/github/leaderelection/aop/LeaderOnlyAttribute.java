package io.github.leaderelection.aop;

import io.github.leaderelection.LeaderOnly;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** What {@link LeaderOnly} says about a method. */
record LeaderOnlyAttribute(String election, LeaderOnly.Otherwise otherwise, boolean interruptOnRevoke) {

    /** The rule for a method of that class: the method's own, else the class's, which is for public methods. */
    static Optional<LeaderOnlyAttribute> of(Method method, Class<?> type) {
        return declaredOn(method).or(() -> takesRuleOfClass(method) ? declaredOn(type) : Optional.empty());
    }

    static Optional<LeaderOnlyAttribute> declaredOn(Method method) {
        return find(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY));
    }

    static Optional<LeaderOnlyAttribute> declaredOn(Class<?> type) {
        return find(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY));
    }

    private static boolean takesRuleOfClass(Method method) {
        int modifiers = method.getModifiers();
        return Modifier.isPublic(modifiers)
                && !Modifier.isStatic(modifiers)
                && method.getDeclaringClass() != Object.class
                && !isOfObject(method);
    }

    /** Such as {@code toString()}, which has to answer everywhere. */
    private static boolean isOfObject(Method method) {
        try {
            Object.class.getMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException own) {
            return false;
        }
    }

    private static Optional<LeaderOnlyAttribute> find(MergedAnnotations annotations) {
        MergedAnnotation<LeaderOnly> annotation = annotations.get(LeaderOnly.class);
        return annotation.isPresent()
                ? Optional.of(new LeaderOnlyAttribute(
                        annotation.getString(MergedAnnotation.VALUE),
                        annotation.getEnum("otherwise", LeaderOnly.Otherwise.class),
                        annotation.getBoolean("interruptOnRevoke")))
                : Optional.empty();
    }
}
