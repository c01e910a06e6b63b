package io.github.leaderelection.aop;

import io.github.leaderelection.Election;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Monitors leader-only calls, for metrics and tracing. If there is a unique bean of this type, it is used. */
public interface InvocationMonitor {

    /** Monitors nothing. */
    InvocationMonitor NONE = (election, method) -> NoOpMethodMonitor.INSTANCE;

    /** Returns the monitor of a method; called before its first invocation. */
    MethodMonitor forMethod(Election election, Method method);

    /** Monitors the calls of one method. */
    interface MethodMonitor {

        /** A call was skipped because this instance does not lead. */
        void skipped();

        /** A call was rejected with an exception because this instance does not lead. */
        void rejected();

        /** A call was admitted, and starts on the current thread. */
        Invocation started();
    }

    /** Monitors one call that was admitted. */
    interface Invocation {

        /** The method has returned or thrown, on the thread on which it started; its result may be incomplete. */
        void returned();

        /** The result is complete. Called once, after {@link #returned()}, on any thread. */
        void completed(@Nullable Throwable failure);
    }
}
