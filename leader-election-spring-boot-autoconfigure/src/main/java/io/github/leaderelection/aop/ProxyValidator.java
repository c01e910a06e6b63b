package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyErrors.unsupportedMethod;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.springframework.aop.SpringProxy;
import org.springframework.util.ClassUtils;

/** Rejects {@code @LeaderOnly} on methods that a proxy cannot intercept. */
final class ProxyValidator {

    private ProxyValidator() {}

    /** @param proxyTargetClass whether the proxy is a subclass, rather than an implementation of the bean's interfaces */
    static void validate(Method method, Class<?> type, boolean proxyTargetClass) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            throw unsupportedMethod(
                    method,
                    "it is %s, so that calls bypass the bean's proxy"
                            .formatted(Modifier.isPrivate(modifiers) ? "private" : "static"),
                    "Make it a public method that is not static");
        }
        if (isPackagePrivate(modifiers) && !isInSamePackage(method.getDeclaringClass(), type)) {
            throw unsupportedMethod(
                    method,
                    "it is package-private, and %s is in another package, so that calls bypass the bean's proxy"
                            .formatted(type.getName()),
                    "Make it public or protected");
        }
        if (Modifier.isFinal(modifiers)) {
            throw unsupportedMethod(method, "it is final, so that calls bypass the bean's proxy", "Make it non-final");
        }
        if (Modifier.isFinal(type.getModifiers())
                && (proxyTargetClass || ClassUtils.getAllInterfacesForClass(type).length == 0)) {
            throw type.isRecord()
                    ? unsupportedMethod(
                            method,
                            "its class is a record, and records are final, so that the bean cannot have a proxy",
                            "Use an ordinary class instead of a record")
                    : unsupportedMethod(
                            method,
                            "its class is final, so that the bean cannot have a proxy",
                            "Make the class non-final");
        }
    }

    /** Spring's proxies without a target find annotations only on the interface that declares the method. */
    static void validateInterface(Method method, Class<?> type) {
        if (SpringProxy.class.isAssignableFrom(type)
                && LeaderOnlyAttribute.find(method, method.getDeclaringClass()).isEmpty()) {
            throw unsupportedMethod(
                    method,
                    "the bean is made from an interface alone, and the interface that declares the method is not annotated",
                    "Annotate that interface, or declare the method again and annotate it");
        }
    }

    private static boolean isPackagePrivate(int modifiers) {
        return (modifiers & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE)) == 0;
    }

    private static boolean isInSamePackage(Class<?> one, Class<?> other) {
        return one.getPackageName().equals(other.getPackageName()) && one.getClassLoader() == other.getClassLoader();
    }
}
