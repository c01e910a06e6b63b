package io.github.leaderelection.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;

/**
 * A kind of method by which the container initialises, starts, stops or destroys a bean. Every instance needs them.
 *
 * @param reason why they cannot be leader-only
 * @param action what to do instead
 * @param annotation the name of the annotation, which may not be on the class path; null if there is none
 * @param interfaces the interfaces that declare them
 */
record BeanCallback(String reason, String action, @Nullable String annotation, List<Class<?>> interfaces) {

    static final BeanCallback INITIALISATION = new BeanCallback(
            "it initialises the bean, which happens before the bean has a proxy",
            "Do the work in another method that is called later, such as a listener of OnGrantedEvent",
            "jakarta.annotation.PostConstruct",
            List.of(InitializingBean.class));

    private static final BeanCallback DESTRUCTION = new BeanCallback(
            "it is called when the bean is destroyed, without the bean's proxy, so that it would run on every instance",
            "Do the work when leadership ends, in a listener of OnRevokedEvent",
            "jakarta.annotation.PreDestroy",
            List.of(DisposableBean.class, AutoCloseable.class));

    private static final BeanCallback LIFECYCLE = new BeanCallback(
            "the container calls it when the application starts or stops, when this instance does not lead",
            "Annotate the bean with @WhileLeader, which starts and stops it with the leadership of this instance",
            null,
            List.of(SmartLifecycle.class, Lifecycle.class));

    /** The kind to which a method of that class belongs. */
    static Optional<BeanCallback> of(Method method, Class<?> type) {
        return Stream.of(INITIALISATION, DESTRUCTION, LIFECYCLE)
                .filter(callback -> callback.includes(method, type))
                .findFirst();
    }

    boolean includes(Method method, Class<?> type) {
        return isAnnotated(method) || isDeclared(method, type);
    }

    private boolean isAnnotated(Method method) {
        return Arrays.stream(method.getDeclaredAnnotations())
                .anyMatch(present -> present.annotationType().getName().equals(annotation));
    }

    private boolean isDeclared(Method method, Class<?> type) {
        return interfaces.stream()
                .anyMatch(declaring -> declaring.isAssignableFrom(type)
                        && ClassUtils.hasMethod(declaring, method.getName(), method.getParameterTypes()));
    }
}
