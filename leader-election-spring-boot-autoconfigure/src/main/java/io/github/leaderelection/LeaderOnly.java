package io.github.leaderelection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method only while this instance leads an election. On a class, it applies to all public methods; an annotation
 * on a method takes precedence.
 *
 * <p>A hand-over waits until admitted calls have completed, at most for the drain timeout. Results of type
 * {@link java.util.concurrent.CompletionStage} and reactive types, and suspending functions of Kotlin, count as running until
 * they complete. {@link #whenRevoked} says when calls that are still running are stopped: their threads are interrupted;
 * reactive subscriptions and suspending functions are cancelled and fail with a {@link NotLeaderException}. A
 * {@code CompletionStage} cannot be stopped from outside, so its work should check {@link Leadership#isValid()}. During the
 * call, {@link Leadership#current()} returns its term.
 *
 * <p>A call that is made by a running leader-only call of the same election, on the same thread, belongs to it: it is
 * admitted even if the term has ended, and its term is that of the outer call.
 *
 * <p>Calls are intercepted by the bean's proxy. A call from within the same object ({@code this.method()}) bypasses the
 * proxy, and is not intercepted. The same applies to initialisation methods ({@code @PostConstruct},
 * {@code afterPropertiesSet()}), destruction methods ({@code @PreDestroy}, {@code destroy()}) and the methods of
 * {@code Lifecycle} beans: the annotation is rejected on them, and that of a class does not apply to them.
 *
 * <p>The annotation is also rejected on methods that would never run: those that are called only while the application
 * starts, before it joins its elections, or stops, after it has left them, and listeners that are called only when
 * leadership is over. With {@link Otherwise#SKIP} it is rejected on listeners of messages, which would be acknowledged
 * without being handled.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface LeaderOnly {

    /** The name of the election, which may contain {@code ${…}} placeholders. May be blank if there is only one election. */
    String value() default "";

    /** What a call does if this instance does not lead. */
    Otherwise otherwise() default Otherwise.SKIP;

    /** What happens to running calls when the term ends. */
    WhenRevoked whenRevoked() default WhenRevoked.DRAIN;

    enum Otherwise {
        /**
         * The call is skipped: it returns an empty {@code Optional}, a {@code CompletionStage} or reactive type that completes
         * empty, or null. Calls that return a primitive value cannot be skipped.
         */
        SKIP,
        /** The call throws a {@link NotLeaderException}; an asynchronous or reactive result fails with it. */
        THROW
    }

    enum WhenRevoked {
        /**
         * At a hand-over, running calls may finish until the drain timeout has elapsed, and are stopped then. If leadership is
         * {@linkplain RevocationReason#isLoss() lost}, they are stopped at once, because another instance may lead soon.
         */
        DRAIN,
        /** Running calls are stopped as soon as the term ends. */
        INTERRUPT,
        /** Running calls are never stopped. A hand-over waits for them nevertheless, at most for the drain timeout. */
        FINISH
    }
}
