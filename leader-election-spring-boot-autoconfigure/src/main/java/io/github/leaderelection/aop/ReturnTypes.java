package io.github.leaderelection.aop;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Distinguishes synchronous, asynchronous and reactive return types, and provides results of skipped calls. */
final class ReturnTypes {

    static final boolean REACTOR_PRESENT =
            ClassUtils.isPresent("reactor.core.publisher.Flux", ReturnTypes.class.getClassLoader());

    private ReturnTypes() {}

    static boolean isSkippable(Class<?> type) {
        ReactiveAdapter adapter = reactiveAdapter(type);
        return (!type.isPrimitive() || type == void.class) && (adapter == null || adapter.supportsEmpty());
    }

    /** The type that the method declares; that of a suspending function is not in its signature. */
    static Class<?> declaredBy(Method method) {
        return KotlinDetector.isSuspendingFunction(method)
                ? new MethodParameter(method, -1).getParameterType()
                : method.getReturnType();
    }

    /**
     * Returns the adapter of the result that an interceptor of the method sees, if it is reactive; otherwise null. Spring turns
     * a suspending function into a Mono, or into a Flux if it returns a flow.
     */
    static @Nullable ReactiveAdapter reactiveAdapter(Method method) {
        Class<?> type = declaredBy(method);
        if (!REACTOR_PRESENT || !KotlinDetector.isSuspendingFunction(method)) {
            return reactiveAdapter(type);
        }
        return ReactiveAdapterRegistry.getSharedInstance().getAdapter(isFlow(type) ? Flux.class : Mono.class);
    }

    static boolean isFlow(Class<?> type) {
        return type.getName().equals("kotlinx.coroutines.flow.Flow");
    }

    /** Returns the adapter of a reactive type; null for all other types. */
    static @Nullable ReactiveAdapter reactiveAdapter(Class<?> type) {
        // CompletionStage has an adapter too, but does not wait for a subscription.
        return !REACTOR_PRESENT || isCompletionStage(type) || type.isPrimitive() || type == Object.class
                ? null
                : ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
    }

    static boolean isCompletionStage(Class<?> type) {
        return type != Object.class && type.isAssignableFrom(CompletableFuture.class);
    }

    static @Nullable Object skippedResult(Class<?> type) {
        if (type == Optional.class) {
            return Optional.empty();
        } else if (type == OptionalInt.class) {
            return OptionalInt.empty();
        } else if (type == OptionalLong.class) {
            return OptionalLong.empty();
        } else if (type == OptionalDouble.class) {
            return OptionalDouble.empty();
        }
        return isCompletionStage(type) ? CompletableFuture.completedFuture(null) : null;
    }
}
