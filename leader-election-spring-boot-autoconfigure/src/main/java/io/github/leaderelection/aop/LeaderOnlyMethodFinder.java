package io.github.leaderelection.aop;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.support.MisconfigurationException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.core.DecoratingProxy;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds and validates the leader-only methods of a class. */
final class LeaderOnlyMethodFinder {

    private static final Set<Class<?>> PROXY_INTERFACES =
            Set.of(SpringProxy.class, Advised.class, DecoratingProxy.class);

    private LeaderOnlyMethodFinder() {}

    /**
     * Finds the leader-only methods of a bean's class.
     *
     * @param proxyTargetClass whether the proxy is a subclass, rather than an implementation of the bean's interfaces
     * @throws MisconfigurationException if one of them cannot be leader-only
     */
    static Map<Method, LeaderOnlyAttribute> find(Class<?> type, boolean proxyTargetClass) {
        if (!AnnotationUtils.isCandidateClass(type, LeaderOnly.class)) {
            return Map.of();
        }
        return isMadeFromInterfaces(type)
                ? findInInterfaces(type)
                // A @Configuration class is subclassed by Spring, but its proxy is a subclass of the original.
                : findInClass(ClassUtils.getUserClass(type), proxyTargetClass);
    }

    /** Such classes and their methods are final, but their proxies implement the same interfaces. */
    private static boolean isMadeFromInterfaces(Class<?> type) {
        return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
    }

    private static Map<Method, LeaderOnlyAttribute> findInInterfaces(Class<?> type) {
        Map<Method, LeaderOnlyAttribute> methods = new LinkedHashMap<>();
        Stream.of(ClassUtils.getAllInterfacesForClass(type))
                .filter(declaring -> !PROXY_INTERFACES.contains(declaring))
                .forEach(declaring -> forEachMethod(declaring, type, (method, attribute) -> {
                    ProxyValidator.validateInterface(method, type);
                    ReturnTypeValidator.validate(method, attribute);
                    methods.put(method, attribute);
                }));
        return methods;
    }

    private static Map<Method, LeaderOnlyAttribute> findInClass(Class<?> type, boolean proxyTargetClass) {
        Map<Method, LeaderOnlyAttribute> methods = new LinkedHashMap<>();
        PlacementValidator.validateClass(type);
        forEachMethod(type, type, (declared, attribute) -> {
            Method method = ClassUtils.getMostSpecificMethod(declared, type);
            PlacementValidator.validateMethod(method, type, attribute);
            ProxyValidator.validate(method, type, proxyTargetClass);
            ReturnTypeValidator.validate(method, attribute);
            methods.put(method, attribute);
        });
        return methods;
    }

    private static void forEachMethod(
            Class<?> declaring, Class<?> type, BiConsumer<Method, LeaderOnlyAttribute> consumer) {
        ReflectionUtils.doWithMethods(
                declaring,
                method -> LeaderOnlyAttribute.find(method, type)
                        .ifPresent(attribute -> consumer.accept(method, attribute)),
                method -> !method.isBridge() && !method.isSynthetic());
    }
}
