package io.github.leaderelection.aop;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/** What the types of results mean for calls that are skipped, and for when a call has ended. */
final class ReturnTypes {

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Flux", ReturnTypes.class.getClassLoader());

    private ReturnTypes() {}

    static boolean canBeSkipped(Class<?> type) {
        ReactiveAdapter reactive = reactive(type);
        return (!type.isPrimitive() || type == void.class) && (reactive == null || reactive.supportsEmpty());
    }

    static void verify(Method method) {
        if (isSuspending(method)) {
            throw LeaderOnlyMethodFinder.unusable(
                    method,
                    "it is a suspending function of Kotlin, of which nobody can tell when it has ended",
                    "Make it an ordinary function, or let it return a CompletableFuture or Mono");
        }
        if (!REACTOR && looksReactive(method.getReturnType())) {
            throw LeaderOnlyMethodFinder.unusable(
                    method,
                    "a call with a reactive result is guarded with Project Reactor's help, which is missing",
                    "Add io.projectreactor:reactor-core to the dependencies");
        }
    }

    private static boolean isSuspending(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        return parameters.length > 0
                && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation");
    }

    private static boolean looksReactive(Class<?> type) {
        String name = type.getName();
        return name.equals("org.reactivestreams.Publisher")
                || name.startsWith("io.reactivex.")
                || name.startsWith("io.smallrye.mutiny.")
                || name.equals("java.util.concurrent.Flow$Publisher");
    }

    /** How to adapt a reactive type; null for all others. */
    static @Nullable ReactiveAdapter reactive(Class<?> type) {
        // A CompletionStage has an adapter too, but is complete or not whether anybody subscribes or not.
        return !REACTOR || isStage(type) || type.isPrimitive() || type == Object.class
                ? null
                : ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
    }

    static boolean isStage(Class<?> type) {
        return type != Object.class && type.isAssignableFrom(CompletableFuture.class);
    }

    static @Nullable Object skipped(Class<?> type) {
        if (type == Optional.class) {
            return Optional.empty();
        } else if (type == OptionalInt.class) {
            return OptionalInt.empty();
        } else if (type == OptionalLong.class) {
            return OptionalLong.empty();
        } else if (type == OptionalDouble.class) {
            return OptionalDouble.empty();
        }
        return isStage(type) ? CompletableFuture.completedFuture(null) : null;
    }
}
