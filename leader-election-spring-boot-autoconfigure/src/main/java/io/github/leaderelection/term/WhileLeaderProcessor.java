package io.github.leaderelection.term;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.Role;
import io.github.leaderelection.aop.ElectionResolver;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;

/**
 * Runs elements annotated with {@link io.github.leaderelection.WhileLeader} for the terms of their elections. An
 * element that cannot run that way, or names an unknown election, fails the startup.
 */
public final class WhileLeaderProcessor
        implements SmartInitializingSingleton,
                SmartLifecycle,
                ApplicationListener<ApplicationEvent>,
                ApplicationContextAware,
                Ordered {

    private static final Logger log = LoggerFactory.getLogger(WhileLeaderProcessor.class);

    private final Function<String, Duration> drainTimeouts;
    private final Executor executor;
    private final Map<Declaration, Election> declarations = new LinkedHashMap<>();
    private final Map<String, ElectionWork> works = new LinkedHashMap<>();
    private @Nullable ConfigurableApplicationContext context;
    private volatile boolean running;

    /**
     * Creates a processor.
     *
     * @param drainTimeouts returns the drain timeout of an election, by its name
     * @param executor runs each task on a thread of its own
     */
    public WhileLeaderProcessor(Function<String, Duration> drainTimeouts, Executor executor) {
        this.drainTimeouts = drainTimeouts;
        this.executor = executor;
    }

    @Override
    public void setApplicationContext(ApplicationContext applicationContext) {
        context = (ConfigurableApplicationContext) applicationContext;
    }

    private ConfigurableListableBeanFactory beans() {
        if (context == null) {
            throw new IllegalStateException("This bean does not belong to an application context");
        }
        return context.getBeanFactory();
    }

    /** Before the context starts beans, because it must not start those that run for a term. */
    @Override
    public void afterSingletonsInstantiated() {
        ConfigurableListableBeanFactory beans = beans();
        var scanner = new WhileLeaderScanner(
                beans,
                beans.getBeanProvider(ListenerContainers.class).orderedStream().toList());
        for (Declaration declaration : scanner.scan()) {
            declarations.put(declaration, election(declaration));
        }
    }

    private Election election(Declaration declaration) {
        // Not kept, because elections are resolved only when the application starts.
        var resolver = new ElectionResolver(beans().getBean(Elections.class), beans()::resolveEmbeddedValue);
        return resolver.resolve(declaration.annotation().value(), "@WhileLeader", declaration.description());
    }

    /** After all message listeners have been registered, and before their containers are started. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    @Override
    public void start() {
        running = true;
        if (!declarations.isEmpty() && works.isEmpty()) {
            ConfigurableListableBeanFactory beans = beans();
            TermWorkMonitor monitor =
                    beans.getBeanProvider(TermWorkMonitor.class).getIfUnique(() -> TermWorkMonitor.NONE);
            var factory = new TermWorkFactory(beans, drainTimeouts, executor);
            declarations.forEach((declaration, election) -> {
                ElectionWork work =
                        works.computeIfAbsent(election.name(), name -> new ElectionWork(election, executor));
                factory.create(declaration, election).forEach(each -> work.add(each, monitor));
            });
        }
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** After the listener that leaves the elections on close, so that terms are over when this waits for their work. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (event instanceof ContextRefreshedEvent refreshed && refreshed.getApplicationContext() == context) {
            works.values().stream()
                    .filter(work -> work.election().role() != Role.CLOSED)
                    .forEach(ElectionWork::open);
        } else if (event instanceof ContextClosedEvent closed && closed.getApplicationContext() == context) {
            close();
        }
    }

    /** Waits, because the context would otherwise stop beans that are being stopped here, and not wait for them. */
    private void close() {
        CompletableFuture<?>[] ends =
                works.values().stream().map(ElectionWork::close).toArray(CompletableFuture<?>[]::new);
        // All are stopped at the same time, so the longest timeout applies.
        Duration drainTimeout = works.keySet().stream()
                .map(drainTimeouts)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        try {
            CompletableFuture.allOf(ends).get(drainTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException overrun) {
            log.warn("Not all that runs for a term has ended within {}: {}", drainTimeout, works.values());
        }
    }
}
