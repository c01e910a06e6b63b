package io.github.leaderelection.aop;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Admits calls of leader-only methods only while this instance leads. */
final class LeaderOnlyInterceptor implements MethodInterceptor {

    private record Key(Method method, @Nullable Class<?> type) {}

    private final Supplier<ElectionResolver> elections;
    private final Supplier<InvocationMonitor> monitor;
    private final Map<Key, GuardedMethod> methods = new ConcurrentHashMap<>();

    LeaderOnlyInterceptor(Supplier<ElectionResolver> elections, Supplier<InvocationMonitor> monitor) {
        this.elections = elections;
        this.monitor = monitor;
    }

    /** Looks up all beans that calls need, because the bean factory may be closed when a late call arrives. */
    void initialise() {
        var unusedElections = elections.get();
        var unusedMonitor = monitor.get();
    }

    /** @throws io.github.leaderelection.support.MisconfigurationException if there is no such election */
    void requireElection(Method method, LeaderOnlyAttribute attribute) {
        var unused = elections.get().resolve(method, attribute);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Key key = new Key(invocation.getMethod(), target == null ? null : target.getClass());
        GuardedMethod method = methods.get(key);
        if (method == null) {
            method = methods.computeIfAbsent(key, this::createGuardedMethod);
        }
        return method.invoke(invocation);
    }

    private GuardedMethod createGuardedMethod(Key key) {
        Class<?> type = key.type() == null ? key.method().getDeclaringClass() : key.type();
        Method method = AopUtils.getMostSpecificMethod(key.method(), type);
        LeaderOnlyAttribute attribute = LeaderOnlyAttribute.find(method, type)
                .orElseThrow(
                        () -> new IllegalStateException(LeaderOnlyErrors.describe(method) + " is not leader-only"));
        ElectionResolver resolver = elections.get();
        return new GuardedMethod(
                method,
                attribute,
                new ElectionReference(
                        resolver.resolve(method, attribute),
                        resolver::find,
                        election -> monitor.get().forMethod(election, method)));
    }
}
