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
    private final Rule rule;
    private final Election election;
    private final @Nullable ReactiveAdapter reactive;
    private final boolean stage;
    private final LeaderWork undrained = new LeaderWork();

    GuardedMethod(Method method, Rule rule, Election election) {
        this.method = method;
        this.rule = rule;
        this.election = election;
        this.reactive = Results.reactive(method.getReturnType());
        this.stage = Results.isStage(method.getReturnType());
    }

    @Nullable
    Object call(MethodInvocation invocation) throws Throwable {
        if (reactive != null) {
            return ReactiveCall.defer(this, invocation, reactive);
        }
        LeaderWork.Permit permit = admit();
        if (permit == null) {
            return refuse();
        }
        boolean continues = false;
        try {
            Object result = permit.call(invocation::proceed);
            if (result instanceof CompletionStage<?> pending) {
                pending.whenComplete((value, failure) -> permit.close());
                continues = true;
            }
            return result;
        } finally {
            if (!continues) {
                permit.close();
            }
        }
    }

    LeaderWork.@Nullable Permit admit() {
        LeaderWork.Permit permit = election instanceof ManagedElection managed
                ? managed.admit()
                : election.leadership().map(undrained::admit).orElse(null);
        if (permit != null && rule.interruptOnRevoke()) {
            permit.interruptOnRevoke();
        }
        return permit;
    }

    boolean isSkipped() {
        return rule.otherwise() == Otherwise.SKIP;
    }

    NotLeaderException rejection() {
        return new NotLeaderException("%s runs on the leader of election '%s' only; this instance is %s"
                .formatted(RuledMethods.describe(method), election.name(), election.role()));
    }

    private @Nullable Object refuse() {
        if (isSkipped()) {
            return Results.skipped(method.getReturnType());
        }
        if (stage) {
            return CompletableFuture.failedFuture(rejection());
        }
        throw rejection();
    }
}
