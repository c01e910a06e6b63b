package io.github.leaderelection.autoconfigure.condition;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Matches if an {@link EnabledProperty} has the given value. Unlike {@code @ConditionalOnBooleanProperty}, it accepts
 * every boolean that binding accepts, such as {@code yes} and {@code off}, and fails on any other value.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Conditional(OnEnabledPropertyCondition.class)
public @interface ConditionalOnEnabledProperty {

    EnabledProperty value();

    boolean havingValue() default true;
}
