package io.github.leaderelection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method only where this instance leads an election. On a class it is meant for all of its public methods; a
 * method's own annotation comes first.
 *
 * <p>A hand-over waits until admitted calls have ended, and those results too that are handed back as a
 * {@link java.util.concurrent.CompletionStage} or a reactive type. What is still running when the drain timeout is over
 * is told to stop: its thread is interrupted; a reactive subscription is cancelled and ends with a
 * {@link NotLeaderException}. A {@code CompletionStage} can't be stopped from outside, so let its work ask
 * {@link Leadership#isValid()}. Inside the call {@link Leadership#current()} is its term.
 *
 * <p>It is the bean's proxy that guards. A call from within the same object ({@code this.method()}) does not pass it,
 * and so is not guarded. Nor is what initialises the bean ({@code @PostConstruct}, {@code afterPropertiesSet()}): on such
 * a method the annotation is refused, and a class's annotation is not meant for it.
 *
 * <p>It is also refused where it would never let a call through: on what is called only while the application starts,
 * when nobody leads yet, and on listeners that are told when leadership is over.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface LeaderOnly {

    /** The election's name, which may contain {@code ${…}} placeholders. Blank where there is but one election. */
    String value() default "";

    /** What a call does where this instance does not lead. */
    Otherwise otherwise() default Otherwise.SKIP;

    /**
     * Whether running calls are told to stop as soon as leadership is lost; otherwise only if they are still running
     * when the drain timeout is over.
     */
    boolean interruptOnRevoke() default false;

    enum Otherwise {
        /**
         * The call does nothing: {@code Optional} is empty, a {@code CompletionStage} or reactive type completes empty,
         * any other object is null. A method that returns a primitive value cannot be skipped.
         */
        SKIP,
        /** The call throws a {@link NotLeaderException}, or hands it back where the result is asynchronous. */
        THROW
    }
}
