package io.github.leaderelection.aop;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.LeaderOnly.Otherwise;
import io.github.leaderelection.support.MisconfigurationException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
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

/** Finds the leader-only methods of a class, and refuses those that a proxy could not guard. */
final class LeaderOnlyMethodFinder {

    private static final Set<Class<?>> OF_SPRINGS_PROXIES =
            Set.of(SpringProxy.class, Advised.class, DecoratingProxy.class);

    private LeaderOnlyMethodFinder() {}

    /**
     * The leader-only methods of a bean's class.
     *
     * @param subclassed whether the proxy is to be a subclass, rather than an implementation of the bean's interfaces
     * @throws MisconfigurationException if one of them cannot be guarded
     */
    static Map<Method, LeaderOnlyAttribute> of(Class<?> type, boolean subclassed) {
        Map<Method, LeaderOnlyAttribute> methods = new LinkedHashMap<>();
        if (!AnnotationUtils.isCandidateClass(type, LeaderOnly.class)) {
            return methods;
        }
        if (isMadeFromInterfaces(type)) {
            interfaces(type)
                    .forEach(face -> find(face, type, (method, rule) -> {
                        verifyInterface(method, type);
                        verifyResult(method, rule);
                        methods.put(method, rule);
                    }));
        } else {
            // Of a @Configuration class the bean is a subclass made by Spring, and so will the proxy be: not of that
            // one.
            Class<?> written = ClassUtils.getUserClass(type);
            PlacementValidator.verifyClass(written);
            PlacementValidator.verifyUncovered(written);
            find(written, written, (method, rule) -> {
                Method actual = ClassUtils.getMostSpecificMethod(method, written);
                PlacementValidator.verifyMethod(actual, written);
                verifyProxy(actual, written, subclassed);
                verifyResult(actual, rule);
                methods.put(actual, rule);
            });
        }
        return methods;
    }

    private static void find(Class<?> source, Class<?> type, BiConsumer<Method, LeaderOnlyAttribute> found) {
        ReflectionUtils.doWithMethods(
                source,
                method -> LeaderOnlyAttribute.of(method, type).ifPresent(rule -> found.accept(method, rule)),
                method -> !method.isBridge() && !method.isSynthetic());
    }

    /** Such classes are final, with final methods, but their proxies implement the interfaces too. */
    private static boolean isMadeFromInterfaces(Class<?> type) {
        return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
    }

    private static Stream<Class<?>> interfaces(Class<?> type) {
        return Arrays.stream(ClassUtils.getAllInterfacesForClass(type))
                .filter(face -> !OF_SPRINGS_PROXIES.contains(face));
    }

    /** Spring's proxies without a target look for rules nowhere but where the method is declared. */
    private static void verifyInterface(Method method, Class<?> type) {
        if (SpringProxy.class.isAssignableFrom(type)
                && LeaderOnlyAttribute.of(method, method.getDeclaringClass()).isEmpty()) {
            throw unusable(
                    method,
                    "the bean is made from an interface alone, and the one that declares the method is not annotated",
                    "Annotate that interface, or declare the method again and annotate it");
        }
    }

    private static void verifyProxy(Method method, Class<?> type, boolean subclassed) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            String kind = Modifier.isPrivate(modifiers) ? "private" : "static";
            throw unusable(
                    method,
                    "it is " + kind + ", so that calls do not pass the bean's proxy",
                    "Make it a public method that is not static");
        }
        if (isPackagePrivate(modifiers) && !isInSamePackage(method.getDeclaringClass(), type)) {
            throw unusable(
                    method,
                    "it is visible in its package only, and %s is in another one, so that calls do not pass the bean's proxy"
                            .formatted(type.getName()),
                    "Make it public or protected");
        }
        if (Modifier.isFinal(modifiers)) {
            throw unusable(method, "it is final, so that calls do not pass the bean's proxy", "Make it non-final");
        }
        if (Modifier.isFinal(type.getModifiers())
                && (subclassed || ClassUtils.getAllInterfacesForClass(type).length == 0)) {
            throw unusable(
                    method,
                    "its class is final, so that there can be no proxy of the bean",
                    "Make the class non-final");
        }
    }

    private static boolean isPackagePrivate(int modifiers) {
        return (modifiers & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE)) == 0;
    }

    private static boolean isInSamePackage(Class<?> one, Class<?> other) {
        return one.getPackageName().equals(other.getPackageName()) && one.getClassLoader() == other.getClassLoader();
    }

    private static void verifyResult(Method method, LeaderOnlyAttribute rule) {
        if (rule.otherwise() == Otherwise.SKIP && !ReturnTypes.canBeSkipped(method.getReturnType())) {
            throw unusable(
                    method,
                    "it returns %s, for which there is no value when the call is skipped"
                            .formatted(method.getReturnType().getSimpleName()),
                    "Return an object, an Optional or nothing, or use @LeaderOnly(otherwise = THROW)");
        }
        ReturnTypes.verify(method);
    }

    static MisconfigurationException unusable(Method method, String why, String action) {
        return new MisconfigurationException(
                "The method %s cannot be @LeaderOnly: %s.".formatted(describe(method), why), action + ".");
    }

    static String describe(Method method) {
        return ClassUtils.getQualifiedMethodName(method) + "()";
    }
}
