package io.github.leaderelection.aop;

import io.github.leaderelection.LeaderWork;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A call with a reactive result: nothing of it runs before somebody subscribes, and each subscription is one call. */
final class ReactiveCall {

    private final GuardedMethod method;
    private final ProxyMethodInvocation invocation;
    private final ReactiveAdapter adapter;

    private ReactiveCall(GuardedMethod method, ProxyMethodInvocation invocation, ReactiveAdapter adapter) {
        this.method = method;
        this.invocation = invocation;
        this.adapter = adapter;
    }

    static Object defer(GuardedMethod method, MethodInvocation invocation, ReactiveAdapter adapter) {
        var call = new ReactiveCall(method, (ProxyMethodInvocation) invocation, adapter);
        return adapter.fromPublisher(adapter.isMultiValue() ? Flux.defer(call::begin) : Mono.defer(call::beginOne));
    }

    private Mono<Object> beginOne() {
        return Mono.from(begin());
    }

    private Publisher<Object> begin() {
        LeaderWork.Permit permit = method.admit();
        if (permit == null) {
            return method.isSkipped() ? Flux.empty() : Flux.error(method.rejection());
        }
        try {
            // A clone, since an invocation can proceed but once.
            Object result = permit.call(() -> invocation.invocableClone().proceed());
            Publisher<Object> source = adapter.toPublisher(result);
            return adapter.isMultiValue()
                    ? Flux.from(source).doFinally(signal -> permit.close())
                    : Mono.from(source).doFinally(signal -> permit.close());
        } catch (Throwable failure) {
            permit.close();
            return Flux.error(failure);
        }
    }
}
