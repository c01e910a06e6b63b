package io.github.leaderelection.support;

import io.github.leaderelection.ElectionListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names a listener so that a developer can find it. */
final class ListenerName {

    private static final List<String> INFRASTRUCTURE = List.of("org.springframework.", "java.", "jdk.", "sun.");

    private ListenerName() {}

    /**
     * Returns the class of the listener. For a {@link ForwardingListener}, returns the class and method of the
     * application that it has called; for a {@link NamedListener}, the name of the work that it runs.
     *
     * @param thread the thread that is inside the listener; null if there is none
     */
    static String of(ElectionListener listener, @Nullable Thread thread) {
        if (listener instanceof NamedListener named) {
            return named.name();
        }
        String name = listener.getClass().getName();
        if (thread == null || !(listener instanceof ForwardingListener)) {
            return name;
        }
        StackTraceElement[] stack = thread.getStackTrace();
        boolean forwarded = false;
        for (int i = stack.length - 1; i >= 0; i--) {
            String caller = stack[i].getClassName();
            if (caller.equals(name)) {
                forwarded = true;
            } else if (forwarded && INFRASTRUCTURE.stream().noneMatch(caller::startsWith)) {
                return caller + "." + stack[i].getMethodName() + "()";
            }
        }
        return name;
    }
}
