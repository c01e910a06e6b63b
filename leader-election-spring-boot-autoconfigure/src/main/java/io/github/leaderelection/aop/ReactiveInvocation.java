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

/** A call with a reactive result: nothing of it runs before somebody subscribes, and each subscription is one call. */
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
        var call = new ReactiveInvocation(method, (ProxyMethodInvocation) invocation, adapter);
        return adapter.fromPublisher(adapter.isMultiValue() ? Flux.defer(call::begin) : Mono.defer(call::beginOne));
    }

    private Mono<Object> beginOne() {
        return Mono.from(begin());
    }

    private Publisher<Object> begin() {
        LeaderWork.Permit permit = method.admit();
        if (permit == null) {
            return refuse();
        }
        try {
            return run(permit, method.calls().begin());
        } catch (RuntimeException failure) {
            permit.close();
            return Flux.error(failure);
        }
    }

    private Publisher<Object> run(LeaderWork.Permit permit, InvocationMonitor.Call call) {
        Publisher<Object> source;
        try {
            // A clone, since an invocation can proceed but once.
            source = adapter.toPublisher(
                    permit.call(() -> invocation.invocableClone().proceed()));
        } catch (Throwable failure) {
            call.returned();
            GuardedMethod.end(permit, call, failure);
            return Flux.error(failure);
        }
        call.returned();
        var failure = new AtomicReference<@Nullable Throwable>();
        Runnable end = () -> GuardedMethod.end(permit, call, failure.get());
        Mono<Object> overdue = overdue(permit);
        return adapter.isMultiValue()
                ? cut(Flux.from(source), overdue).doOnError(failure::set).doFinally(signal -> end.run())
                : Mono.firstWithSignal(Mono.from(source), overdue)
                        .doOnError(failure::set)
                        .doFinally(signal -> end.run());
    }

    /** Fails when the time of the call is over; on a thread of Reactor's, since what follows is the application's. */
    private Mono<Object> overdue(LeaderWork.Permit permit) {
        Sinks.One<Object> end = Sinks.one();
        permit.whenOverdue(() -> Schedulers.boundedElastic().schedule(() -> end.tryEmitError(method.cancellation())));
        return end.asMono();
    }

    /** Cancels the source when the other fails, which an error of the other alone would not do, and then fails too. */
    private static Flux<Object> cut(Flux<Object> source, Mono<Object> overdue) {
        var complete = new AtomicBoolean();
        return source.doOnComplete(() -> complete.set(true))
                .takeUntilOther(overdue.onErrorComplete())
                .concatWith(Mono.defer(() -> complete.get() ? Mono.empty() : overdue));
    }

    private Publisher<Object> refuse() {
        if (method.isSkipped()) {
            method.calls().skipped();
            return Flux.empty();
        }
        method.calls().rejected();
        return Flux.error(method.rejection());
    }
}
