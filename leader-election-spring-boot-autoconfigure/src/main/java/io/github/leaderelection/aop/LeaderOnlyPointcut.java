package io.github.leaderelection.aop;

import io.github.leaderelection.LeaderOnly;
import java.lang.reflect.Method;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;

/** Matches leader-only methods. */
final class LeaderOnlyPointcut extends StaticMethodMatcherPointcut {

    LeaderOnlyPointcut() {
        setClassFilter(type -> AnnotationUtils.isCandidateClass(type, LeaderOnly.class));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return LeaderOnlyAttribute.find(AopUtils.getMostSpecificMethod(method, targetClass), targetClass)
                .isPresent();
    }
}
