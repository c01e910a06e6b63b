package io.github.leaderelection.aop;

import io.github.leaderelection.Election;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Lets calls of leader-only methods through where this instance leads. */
final class LeaderOnlyInterceptor implements MethodInterceptor {

    private record Key(Method method, @Nullable Class<?> type) {}

    private final Supplier<ElectionResolver> elections;
    private final Supplier<InvocationMonitor> monitor;
    private final Map<Key, GuardedMethod> methods = new ConcurrentHashMap<>();

    LeaderOnlyInterceptor(Supplier<ElectionResolver> elections, Supplier<InvocationMonitor> monitor) {
        this.elections = elections;
        this.monitor = monitor;
    }

    /** Looks up all that calls need, while that can be had. */
    void prepare() {
        var unusedElections = elections.get();
        var unusedMonitor = monitor.get();
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Key key = new Key(invocation.getMethod(), target == null ? null : target.getClass());
        GuardedMethod method = methods.get(key);
        if (method == null) {
            method = methods.computeIfAbsent(key, this::guard);
        }
        return method.call(invocation);
    }

    private GuardedMethod guard(Key key) {
        Class<?> type = key.type() == null ? key.method().getDeclaringClass() : key.type();
        Method method = AopUtils.getMostSpecificMethod(key.method(), type);
        LeaderOnlyAttribute rule = LeaderOnlyAttribute.of(method, type)
                .orElseThrow(() ->
                        new IllegalStateException(LeaderOnlyMethodFinder.describe(method) + " is not leader-only"));
        return new GuardedMethod(
                method,
                rule,
                new ElectionReference(
                        election(method, rule),
                        elections.get()::named,
                        election -> monitor.get().watch(election, method)));
    }

    /** @throws io.github.leaderelection.support.MisconfigurationException if there is no such election */
    Election election(Method method, LeaderOnlyAttribute rule) {
        return elections.get().find(method, rule);
    }
}
