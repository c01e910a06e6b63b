package io.github.leaderelection.term;

import io.github.leaderelection.WhileLeader;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.context.Lifecycle;
import org.springframework.util.ClassUtils;

/** Registers reflection hints for methods that run for a term, and for the property that starts a bean automatically. */
final class WhileLeaderAotProcessor implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        Set<Method> methods = WhileLeaderScanner.annotatedMethods(type).keySet();
        var autoStartup =
                isAnnotatedLifecycle(bean, type) ? BeanUtils.getPropertyDescriptor(type, AutoStartup.PROPERTY) : null;
        Method setter = autoStartup == null ? null : autoStartup.getWriteMethod();
        if (methods.isEmpty() && setter == null) {
            return null;
        }
        return (generation, code) -> {
            ReflectionHints hints = generation.getRuntimeHints().reflection();
            methods.forEach(method -> hints.registerMethod(method, ExecutableMode.INVOKE));
            if (setter != null) {
                hints.registerMethod(setter, ExecutableMode.INVOKE);
            }
        };
    }

    private static boolean isAnnotatedLifecycle(RegisteredBean bean, Class<?> type) {
        return Lifecycle.class.isAssignableFrom(type)
                && bean.getBeanFactory().findAnnotationOnBean(bean.getBeanName(), WhileLeader.class, false) != null;
    }
}
