package io.github.leaderelection.aop;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.StringValueResolver;

/** Lets calls of leader-only methods through where this instance leads. */
final class LeaderOnlyInterceptor implements MethodInterceptor {

    private record Key(Method method, @Nullable Class<?> type) {}

    private final Supplier<Elections> elections;
    private final StringValueResolver placeholders;
    private final Supplier<CallMonitor> monitor;
    private final Map<Key, GuardedMethod> methods = new ConcurrentHashMap<>();

    LeaderOnlyInterceptor(
            Supplier<Elections> elections, StringValueResolver placeholders, Supplier<CallMonitor> monitor) {
        this.elections = elections;
        this.placeholders = placeholders;
        this.monitor = monitor;
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
        Rule rule = Rule.of(method, type)
                .orElseThrow(() -> new IllegalStateException(RuledMethods.describe(method) + " is not leader-only"));
        Election election = election(method, rule);
        return new GuardedMethod(method, rule, election, monitor.get().watch(election, method));
    }

    /** @throws io.github.leaderelection.support.MisconfigurationException if there is no such election */
    Election election(Method method, Rule rule) {
        return new ElectionOfMethod(elections.get(), placeholders).find(method, rule);
    }
}
