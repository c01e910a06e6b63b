package io.github.leaderelection.term;

import static io.github.leaderelection.term.WhileLeaderErrors.describe;
import static io.github.leaderelection.term.WhileLeaderErrors.unsupported;

import io.github.leaderelection.Election;
import io.github.leaderelection.aop.InvocationMonitor;
import io.github.leaderelection.support.ManagedElection;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringValueResolver;

/** Creates the work that runs for a term from the declarations of the application. */
final class TermWorkFactory {

    private final InvocationMonitor invocations;
    private final List<ListenerContainers> brokers;
    private final StringValueResolver values;
    private final Function<String, Duration> drainTimeouts;
    private final Executor executor;

    TermWorkFactory(ConfigurableBeanFactory beans, Function<String, Duration> drainTimeouts, Executor executor) {
        this.invocations = beans.getBeanProvider(InvocationMonitor.class).getIfUnique(() -> InvocationMonitor.NONE);
        this.brokers =
                beans.getBeanProvider(ListenerContainers.class).orderedStream().toList();
        this.values = new EmbeddedValueResolver(beans);
        this.drainTimeouts = drainTimeouts;
        this.executor = executor;
    }

    /** Returns several elements only for message listeners that have several containers. */
    List<TermWork> create(Declaration declaration, Election election) {
        if (declaration instanceof Declaration.OfMethod method) {
            return List.of(create(method, election));
        }
        if (declaration instanceof Declaration.OfListeners listeners) {
            return create(listeners, election);
        }
        Declaration.OfBean bean = (Declaration.OfBean) declaration;
        return List.of(create(bean.name(), bean.bean(), election));
    }

    private List<TermWork> create(Declaration.OfListeners listeners, Election election) {
        Map<String, SmartLifecycle> containers = new LinkedHashMap<>();
        for (String id : listeners.ids()) {
            containers.putAll(
                    listeners.containers().find(Objects.requireNonNullElse(values.resolveStringValue(id), "")));
        }
        List<TermWork> works = new ArrayList<>();
        containers.forEach((id, container) -> works.add(create(
                containers.size() == 1 ? listeners.name() : "%s[%s]".formatted(listeners.name(), id),
                container,
                election)));
        return works;
    }

    /** A bean may be the container of a message listener, too. */
    private TermWork create(String name, Lifecycle lifecycle, Election election) {
        Duration drainTimeout = drainTimeouts.apply(election.name());
        brokers.forEach(broker -> broker.prepare(lifecycle, drainTimeout));
        return new LifecycleWork(name, lifecycle, executor);
    }

    private TermWork create(Declaration.OfMethod declaration, Election election) {
        Object bean = declaration.bean();
        Method method = invocable(declaration);
        boolean suspending = KotlinDetector.isSuspendingFunction(method);
        boolean withTerm = method.getParameterCount() == (suspending ? 2 : 1);
        return new MethodWork(
                name(declaration),
                term -> {
                    Object[] arguments = withTerm ? new Object[] {term} : new Object[0];
                    if (suspending) {
                        SuspendingFunction.call(method, bean, arguments);
                    } else {
                        call(method, bean, arguments);
                    }
                },
                declaration.annotation().then(),
                ManagedElection.of(election),
                invocations.forMethod(election, declaration.method()),
                executor);
    }

    private static void call(Method method, Object bean, Object[] arguments) throws Throwable {
        try {
            var unused = method.invoke(bean, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getTargetException();
        }
    }

    private static String name(Declaration.OfMethod declaration) {
        return "%s.%s"
                .formatted(
                        AopUtils.getTargetClass(declaration.bean()).getSimpleName(),
                        declaration.method().getName());
    }

    /** Returns the method to invoke on the bean, which may be a proxy. */
    private static Method invocable(Declaration.OfMethod declaration) {
        try {
            Method method = AopUtils.selectInvocableMethod(
                    declaration.method(), declaration.bean().getClass());
            ReflectionUtils.makeAccessible(method);
            return method;
        } catch (IllegalStateException hidden) {
            throw unsupported(
                    describe(declaration.method()),
                    "the bean's proxy implements interfaces that do not declare it",
                    "Declare the method in an interface of the bean, or set spring.aop.proxy-target-class=true");
        }
    }
}
