package io.github.leaderelection.autoconfigure.condition;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/** Matches in the given {@link Mode}. The property is read by the binder, so that exactly one of the modes matches. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Conditional(OnModeCondition.class)
public @interface ConditionalOnMode {

    Mode value();
}
