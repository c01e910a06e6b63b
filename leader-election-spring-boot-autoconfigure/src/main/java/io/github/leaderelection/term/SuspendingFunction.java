package io.github.leaderelection.term;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;

/** Calls Kotlin suspending functions. Used only if an application has one, because Kotlin may be absent otherwise. */
final class SuspendingFunction {

    private SuspendingFunction() {}

    /**
     * Returns when the function has completed. An interrupt of the calling thread cancels it, and is reported once the
     * cancelled function has ended.
     */
    static void call(Method method, Object bean, Object... arguments) throws InterruptedException {
        var unused = BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE, (scope, continuation) -> {
            Object[] withContinuation = Arrays.copyOf(arguments, arguments.length + 1);
            withContinuation[arguments.length] = continuation;
            return invoke(method, bean, withContinuation);
        });
    }

    /** The type parameter lets this method throw what the function throws: Kotlin has no checked exceptions. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> Object invoke(Method method, Object bean, Object[] arguments) throws E {
        try {
            return method.invoke(bean, arguments);
        } catch (InvocationTargetException failure) {
            throw (E) failure.getTargetException();
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
