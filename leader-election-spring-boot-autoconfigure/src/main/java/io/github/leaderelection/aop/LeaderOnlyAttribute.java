package io.github.leaderelection.aop;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.WhileLeader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** The attributes of {@link LeaderOnly} that apply to a method. */
record LeaderOnlyAttribute(String election, LeaderOnly.Otherwise otherwise, LeaderOnly.WhenRevoked whenRevoked) {

    /** Finds the annotation of the method, or else that of the class, which applies to public methods only. */
    static Optional<LeaderOnlyAttribute> find(Method method, Class<?> type) {
        return declaredOn(method).or(() -> isCoveredByClass(method, type) ? declaredOn(type) : Optional.empty());
    }

    static Optional<LeaderOnlyAttribute> declaredOn(Method method) {
        return from(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY));
    }

    static Optional<LeaderOnlyAttribute> declaredOn(Class<?> type) {
        return from(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY));
    }

    private static boolean isCoveredByClass(Method method, Class<?> type) {
        int modifiers = method.getModifiers();
        return Modifier.isPublic(modifiers)
                && !Modifier.isStatic(modifiers)
                && method.getDeclaringClass() != Object.class
                && !overridesObject(method)
                && !isWhileLeader(method)
                && BeanCallback.of(method, type).isEmpty();
    }

    /** Such a method runs only while this instance leads, which the annotation of its class does not change. */
    static boolean isWhileLeader(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(WhileLeader.class);
    }

    /** Methods such as {@code toString()} have to work on every instance. */
    private static boolean overridesObject(Method method) {
        try {
            Object.class.getMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException notInherited) {
            return false;
        }
    }

    private static Optional<LeaderOnlyAttribute> from(MergedAnnotations annotations) {
        MergedAnnotation<LeaderOnly> annotation = annotations.get(LeaderOnly.class);
        return annotation.isPresent()
                ? Optional.of(new LeaderOnlyAttribute(
                        annotation.getString(MergedAnnotation.VALUE),
                        annotation.getEnum("otherwise", LeaderOnly.Otherwise.class),
                        annotation.getEnum("whenRevoked", LeaderOnly.WhenRevoked.class)))
                : Optional.empty();
    }
}
