package io.github.leaderelection.aop;

import io.github.leaderelection.Election;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Watches leader-only calls, for meters and traces. A bean of this type is used if there is one. */
public interface InvocationMonitor {

    /** Watches nothing. */
    InvocationMonitor NONE = (election, method) -> NoOpMethodMonitor.METHOD;

    /** What watches the calls of one method; asked for before its first call. */
    Calls watch(Election election, Method method);

    /** The calls of one method. */
    interface Calls {

        /** A call was refused, and so did nothing. */
        void skipped();

        /** A call was refused with an exception. */
        void rejected();

        /** A call was admitted, and begins now on this thread. */
        Call begin();
    }

    /** One call that was admitted. */
    interface Call {

        /** The method has returned or thrown, on the thread on which it began; what it handed back may be going on. */
        void returned();

        /** All of it is over; comes once, after {@link #returned()}, on any thread. */
        void ended(@Nullable Throwable failure);
    }
}
