package io.github.leaderelection.aop;

import io.github.leaderelection.LeaderWork;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** A call with a reactive result. It starts on subscription, and each subscription is a separate call. */
final class ReactiveInvocation {

    private final GuardedMethod method;
    private final ProxyMethodInvocation invocation;
    private final ReactiveAdapter adapter;

    private ReactiveInvocation(GuardedMethod method, ProxyMethodInvocation invocation, ReactiveAdapter adapter) {
        this.method = method;
        this.invocation = invocation;
        this.adapter = adapter;
    }

    static Object defer(GuardedMethod method, MethodInvocation invocation, ReactiveAdapter adapter) {
        var deferred = new ReactiveInvocation(method, (ProxyMethodInvocation) invocation, adapter);
        return adapter.fromPublisher(
                adapter.isMultiValue()
                        ? Flux.defer(deferred::subscribe)
                        : Mono.defer(() -> Mono.from(deferred.subscribe())));
    }

    private Publisher<Object> subscribe() {
        LeaderWork.Permit permit = method.admit();
        if (permit == null) {
            return refuse();
        }
        try {
            return proceed(permit, method.monitor().started());
        } catch (RuntimeException failure) {
            permit.close();
            return Flux.error(failure);
        }
    }

    private Publisher<Object> proceed(LeaderWork.Permit permit, InvocationMonitor.Invocation monitored) {
        Publisher<Object> source;
        try {
            // A clone, because an invocation can proceed only once.
            source = adapter.toPublisher(
                    permit.call(() -> invocation.invocableClone().proceed()));
        } catch (Throwable failure) {
            monitored.returned();
            GuardedMethod.complete(permit, monitored, failure);
            return Flux.error(failure);
        }
        monitored.returned();
        var failure = new AtomicReference<@Nullable Throwable>();
        Runnable complete = () -> GuardedMethod.complete(permit, monitored, failure.get());
        Mono<Object> cancellation = cancellation(permit);
        return adapter.isMultiValue()
                ? cancelOnError(Flux.from(source), cancellation)
                        .doOnError(failure::set)
                        .doFinally(signal -> complete.run())
                : Mono.firstWithSignal(Mono.from(source), cancellation)
                        .doOnError(failure::set)
                        .doFinally(signal -> complete.run());
    }

    /** Emits an error when the call has to stop, on a thread of Reactor, because it invokes code of the application. */
    private Mono<Object> cancellation(LeaderWork.Permit permit) {
        Sinks.One<Object> sink = Sinks.one();
        permit.whenOverdue(() -> Schedulers.boundedElastic().schedule(() -> sink.tryEmitError(method.cancellation())));
        return sink.asMono();
    }

    /** Cancels the source on the error of the cancellation, and then emits it. The error alone would not cancel. */
    private static Flux<Object> cancelOnError(Flux<Object> source, Mono<Object> cancellation) {
        var complete = new AtomicBoolean();
        return source.doOnComplete(() -> complete.set(true))
                .takeUntilOther(cancellation.onErrorComplete())
                .concatWith(Mono.defer(() -> complete.get() ? Mono.empty() : cancellation));
    }

    private Publisher<Object> refuse() {
        if (method.isSkipped()) {
            method.monitor().skipped();
            return Flux.empty();
        }
        method.monitor().rejected();
        return Flux.error(method.rejection());
    }
}
