package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyErrors.unsupportedMethod;

import io.github.leaderelection.LeaderOnly.Otherwise;
import java.lang.reflect.Method;

/** Rejects {@code @LeaderOnly} on methods whose calls cannot be skipped, or whose end cannot be detected. */
final class ReturnTypeValidator {

    private ReturnTypeValidator() {}

    static void validate(Method method, LeaderOnlyAttribute attribute) {
        Class<?> type = method.getReturnType();
        if (attribute.otherwise() == Otherwise.SKIP && !ReturnTypes.isSkippable(type)) {
            throw unsupportedMethod(
                    method,
                    "it returns %s, and a skipped call has no value to return".formatted(type.getSimpleName()),
                    "Return an object, an Optional or nothing, or use @LeaderOnly(otherwise = THROW)");
        }
        if (isSuspendingFunction(method)) {
            throw unsupportedMethod(
                    method,
                    "it is a suspending function of Kotlin, whose end cannot be detected",
                    "Make it a regular function, or let it return a CompletableFuture or Mono");
        }
        if (!ReturnTypes.REACTOR_PRESENT && isReactive(type)) {
            throw unsupportedMethod(
                    method,
                    "its return type is reactive, which requires Project Reactor",
                    "Add io.projectreactor:reactor-core to the dependencies");
        }
    }

    private static boolean isSuspendingFunction(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        return parameters.length > 0
                && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation");
    }

    private static boolean isReactive(Class<?> type) {
        String name = type.getName();
        return name.equals("org.reactivestreams.Publisher")
                || name.startsWith("io.reactivex.")
                || name.startsWith("io.smallrye.mutiny.")
                || name.equals("java.util.concurrent.Flow$Publisher");
    }
}
