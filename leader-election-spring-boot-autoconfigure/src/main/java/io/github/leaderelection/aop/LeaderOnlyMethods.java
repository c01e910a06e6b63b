package io.github.leaderelection.aop;

import io.github.leaderelection.LeaderOnly;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** Describes the leader-only methods of classes whose beans are not guarded, for warnings. */
public final class LeaderOnlyMethods {

    private LeaderOnlyMethods() {}

    /** Returns the leader-only methods of a class, whether they can be guarded or not. */
    public static List<String> describe(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, LeaderOnly.class)) {
            return List.of();
        }
        Class<?> userType = ClassUtils.getUserClass(type);
        return MethodIntrospector.selectMethods(
                        userType,
                        (Method method) ->
                                LeaderOnlyAttribute.find(method, userType).isPresent())
                .stream()
                .map(LeaderOnlyErrors::describe)
                .sorted()
                .toList();
    }
}
