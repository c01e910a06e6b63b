package io.github.leaderelection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs something while this instance leads an election: from the moment leadership is granted until it ends.
 *
 * <ul>
 *   <li>A <b>method</b> without arguments, or with the {@link Leadership} as its argument, is called once per term on a
 *       thread of its own, which is interrupted as soon as the term is over. {@link Leadership#current()} returns the term.
 *       If the method returns earlier, nothing happens until the next term, unless {@link #then()} says otherwise. If it
 *       throws an exception, this instance gives up leadership and joins the queue again after a pause.
 *   <li>A <b>{@code Lifecycle} bean</b>, annotated on its class or on its {@code @Bean} method, is not started with the
 *       application. It is started when leadership is granted and stopped when leadership ends.
 *   <li>A <b>message listener method</b> ({@code @KafkaListener}, {@code @RabbitListener}, {@code @JmsListener}) with an
 *       {@code id} receives messages only while this instance leads: its container is started and stopped.
 * </ul>
 *
 * <p>Everything that runs for an election is started in the order of the phases and stopped in the reverse order. A
 * hand-over waits until everything has ended, at most for the drain timeout. If leadership is lost, everything is
 * stopped at once. Nothing is started for a term that is over, or while something still runs for an earlier term.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface WhileLeader {

    /** The name of the election, which may contain {@code ${…}} placeholders. May be blank if there is only one election. */
    String value() default "";

    /** What happens when a method returns although this instance still leads. Applies to methods only. */
    Then then() default Then.IDLE;

    enum Then {
        /** This instance keeps leading. The method is called again in its next term. */
        IDLE,
        /** This instance hands leadership over and moves to the end of the queue. */
        STEP_DOWN
    }
}
