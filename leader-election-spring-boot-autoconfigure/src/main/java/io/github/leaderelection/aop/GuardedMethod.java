package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyErrors.describe;

import io.github.leaderelection.Election;
import io.github.leaderelection.LeaderOnly.Otherwise;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.support.ManagedElection;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;

/** One leader-only method: admits or refuses its calls, and keeps a permit until their results are complete. */
final class GuardedMethod {

    private final Method method;
    private final LeaderOnlyAttribute attribute;
    private final @Nullable ReactiveAdapter reactiveAdapter;
    private final boolean returnsCompletionStage;
    private final ElectionReference reference;
    private final Supplier<String> name;

    GuardedMethod(Method method, LeaderOnlyAttribute attribute, ElectionReference reference) {
        this.method = method;
        this.attribute = attribute;
        this.reference = reference;
        this.name = () -> describe(method);
        this.reactiveAdapter = ReturnTypes.reactiveAdapter(method);
        this.returnsCompletionStage = ReturnTypes.isCompletionStage(method.getReturnType());
    }

    @Nullable
    Object invoke(MethodInvocation invocation) throws Throwable {
        if (reactiveAdapter != null) {
            return ReactiveInvocation.defer(this, invocation, reactiveAdapter);
        }
        LeaderWork.Permit permit = admit();
        return permit == null ? refuse() : proceed(invocation, permit);
    }

    private @Nullable Object proceed(MethodInvocation invocation, LeaderWork.Permit permit) throws Throwable {
        boolean pending = false;
        try {
            Object result;
            InvocationMonitor.Invocation monitored = monitor().started();
            try {
                result = permit.call(invocation::proceed);
            } catch (Throwable failure) {
                monitored.returned();
                monitored.completed(failure);
                throw failure;
            }
            monitored.returned();
            if (result instanceof CompletionStage<?> stage) {
                stage.whenComplete((value, failure) -> complete(permit, monitored, failure));
                pending = true;
            } else {
                monitored.completed(null);
            }
            return result;
        } finally {
            if (!pending) {
                permit.close();
            }
        }
    }

    static void complete(
            LeaderWork.Permit permit, InvocationMonitor.Invocation monitored, @Nullable Throwable failure) {
        try (permit) {
            monitored.completed(failure);
        }
    }

    InvocationMonitor.MethodMonitor monitor() {
        return reference.monitor();
    }

    LeaderWork.@Nullable Permit admit() {
        LeaderWork.Permit permit = admit(reference.election());
        return permit == null && reference.refresh() ? admit(reference.election()) : permit;
    }

    private LeaderWork.@Nullable Permit admit(ManagedElection election) {
        return election.admit(attribute.whenRevoked(), name);
    }

    private @Nullable Object refuse() {
        if (isSkipped()) {
            monitor().skipped();
            return ReturnTypes.skippedResult(method.getReturnType());
        }
        monitor().rejected();
        if (returnsCompletionStage) {
            return CompletableFuture.failedFuture(rejection());
        }
        throw rejection();
    }

    boolean isSkipped() {
        return attribute.otherwise() == Otherwise.SKIP;
    }

    NotLeaderException rejection() {
        Election election = reference.election();
        return new NotLeaderException(
                "%s runs only on the leader of election '%s'; this instance is %s"
                        .formatted(describe(method), election.name(), election.role()),
                election.name());
    }

    NotLeaderException cancellation() {
        String election = reference.election().name();
        return new NotLeaderException(
                "%s was cancelled because this instance no longer leads election '%s'"
                        .formatted(describe(method), election),
                election);
    }
}
