package io.github.leaderelection.aop;

import io.github.leaderelection.Election;
import io.github.leaderelection.LeaderOnly.Otherwise;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.support.ManagedElection;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;

/** One leader-only method: admits its calls or refuses them, and knows when they have ended. */
final class GuardedMethod {

    private final Method method;
    private final LeaderOnlyAttribute rule;
    private final @Nullable ReactiveAdapter reactive;
    private final boolean stage;
    private final ElectionReference bound;
    private final LeaderWork undrained = new LeaderWork();

    GuardedMethod(Method method, LeaderOnlyAttribute rule, ElectionReference bound) {
        this.method = method;
        this.rule = rule;
        this.bound = bound;
        this.reactive = ReturnTypes.reactive(method.getReturnType());
        this.stage = ReturnTypes.isStage(method.getReturnType());
    }

    @Nullable
    Object call(MethodInvocation invocation) throws Throwable {
        if (reactive != null) {
            return ReactiveInvocation.defer(this, invocation, reactive);
        }
        LeaderWork.Permit permit = admit();
        if (permit == null) {
            return refuse();
        }
        boolean continues = false;
        try {
            Object result;
            InvocationMonitor.Call call = calls().begin();
            try {
                result = permit.call(invocation::proceed);
            } catch (Throwable failure) {
                call.returned();
                call.ended(failure);
                throw failure;
            }
            call.returned();
            if (result instanceof CompletionStage<?> pending) {
                pending.whenComplete((value, failure) -> end(permit, call, failure));
                continues = true;
            } else {
                call.ended(null);
            }
            return result;
        } finally {
            if (!continues) {
                permit.close();
            }
        }
    }

    static void end(LeaderWork.Permit permit, InvocationMonitor.Call call, @Nullable Throwable failure) {
        try (permit) {
            call.ended(failure);
        }
    }

    InvocationMonitor.Calls calls() {
        return bound.calls();
    }

    LeaderWork.@Nullable Permit admit() {
        LeaderWork.Permit permit = admit(bound.election());
        if (permit == null && bound.renew()) {
            permit = admit(bound.election());
        }
        if (permit != null && rule.interruptOnRevoke()) {
            permit.interruptOnRevoke();
        }
        return permit;
    }

    private LeaderWork.@Nullable Permit admit(Election election) {
        return election instanceof ManagedElection managed
                ? managed.admit()
                : election.leadership().map(undrained::admit).orElse(null);
    }

    boolean isSkipped() {
        return rule.otherwise() == Otherwise.SKIP;
    }

    NotLeaderException rejection() {
        Election election = bound.election();
        return new NotLeaderException("%s runs on the leader of election '%s' only; this instance is %s"
                .formatted(LeaderOnlyMethodFinder.describe(method), election.name(), election.role()));
    }

    NotLeaderException cancellation() {
        return new NotLeaderException("%s was cancelled: this instance does not lead election '%s' any more"
                .formatted(
                        LeaderOnlyMethodFinder.describe(method),
                        bound.election().name()));
    }

    private @Nullable Object refuse() {
        if (isSkipped()) {
            calls().skipped();
            return ReturnTypes.skipped(method.getReturnType());
        }
        calls().rejected();
        if (stage) {
            return CompletableFuture.failedFuture(rejection());
        }
        throw rejection();
    }
}
