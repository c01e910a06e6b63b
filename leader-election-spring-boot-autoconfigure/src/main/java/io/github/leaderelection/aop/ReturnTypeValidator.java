package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyErrors.unsupportedMethod;

import io.github.leaderelection.LeaderOnly.Otherwise;
import java.lang.reflect.Method;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Nullness;
import org.springframework.util.ClassUtils;

/** Rejects {@code @LeaderOnly} on methods whose calls cannot be skipped, or whose end cannot be detected. */
final class ReturnTypeValidator {

    private static final boolean COROUTINES_PRESENT = ReturnTypes.REACTOR_PRESENT
            && KotlinDetector.isKotlinReflectPresent()
            && ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", ReturnTypeValidator.class.getClassLoader());

    private ReturnTypeValidator() {}

    static void validate(Method method, LeaderOnlyAttribute attribute) {
        boolean suspending = KotlinDetector.isSuspendingFunction(method);
        if (suspending && !COROUTINES_PRESENT) {
            throw unsupportedMethod(
                    method,
                    "it is a suspending function of Kotlin, which requires coroutines for Project Reactor",
                    "Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor and org.jetbrains.kotlin:kotlin-reflect to the dependencies");
        }
        Class<?> type = ReturnTypes.declaredBy(method);
        if (!ReturnTypes.REACTOR_PRESENT && isReactive(type)) {
            throw unsupportedMethod(
                    method,
                    "its return type is reactive, which requires Project Reactor",
                    "Add io.projectreactor:reactor-core to the dependencies");
        }
        if (attribute.otherwise() == Otherwise.SKIP) {
            validateSkipped(method, type, suspending);
        }
    }

    private static void validateSkipped(Method method, Class<?> type, boolean suspending) {
        if (!ReturnTypes.isSkippable(type)) {
            throw unsupportedMethod(
                    method,
                    "it returns %s, and a skipped call has no value to return".formatted(type.getSimpleName()),
                    "Return an object, an Optional or nothing, or use @LeaderOnly(otherwise = THROW)");
        }
        if (isNullIfSkipped(type, suspending) && isNonNullInKotlin(method)) {
            throw unsupportedMethod(
                    method,
                    "it returns %s, which is not nullable in Kotlin, and a skipped call returns null"
                            .formatted(type.getSimpleName()),
                    "Make the type nullable (%s?), or use @LeaderOnly(otherwise = THROW)"
                            .formatted(type.getSimpleName()));
        }
    }

    private static boolean isNullIfSkipped(Class<?> type, boolean suspending) {
        if (type == void.class || ReturnTypes.isFlow(type)) {
            return false;
        }
        return suspending || ReturnTypes.reactiveAdapter(type) == null && ReturnTypes.skippedResult(type) == null;
    }

    private static boolean isNonNullInKotlin(Method method) {
        return KotlinDetector.isKotlinType(method.getDeclaringClass())
                && KotlinDetector.isKotlinReflectPresent()
                && Nullness.forMethodReturnType(method) == Nullness.NON_NULL;
    }

    private static boolean isReactive(Class<?> type) {
        String name = type.getName();
        return name.equals("org.reactivestreams.Publisher")
                || name.startsWith("io.reactivex.")
                || name.startsWith("io.smallrye.mutiny.")
                || name.equals("java.util.concurrent.Flow$Publisher");
    }
}
