package io.github.leaderelection.support;

import io.github.leaderelection.ElectionListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names a listener so that a developer finds it. */
final class ListenerName {

    private static final List<String> INFRASTRUCTURE = List.of("org.springframework.", "java.", "jdk.", "sun.");

    private ListenerName() {}

    /**
     * The class of the listener; for one that forwards events, the class and method of the application that it has called.
     *
     * @param thread the one that is inside the listener; null if none is
     */
    static String of(ElectionListener listener, @Nullable Thread thread) {
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
