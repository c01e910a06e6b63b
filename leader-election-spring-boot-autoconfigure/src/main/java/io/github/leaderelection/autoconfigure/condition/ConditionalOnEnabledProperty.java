package io.github.leaderelection.autoconfigure.condition;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Matches if a switch is in the given position. Unlike Spring Boot's condition on boolean properties it knows all words
 * that binding knows, such as {@code yes} and {@code off}, so that no value means neither on nor off.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Conditional(OnEnabledPropertyCondition.class)
public @interface ConditionalOnEnabledProperty {

    EnabledProperty value();

    boolean on() default true;
}
