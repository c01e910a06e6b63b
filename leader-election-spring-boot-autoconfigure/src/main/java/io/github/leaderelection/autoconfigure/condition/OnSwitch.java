package io.github.leaderelection.autoconfigure.condition;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The condition of {@link ConditionalOnSwitch}. */
final class OnSwitch extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        MergedAnnotation<ConditionalOnSwitch> wanted = metadata.getAnnotations().get(ConditionalOnSwitch.class);
        Switch property = wanted.getEnum("value", Switch.class);
        boolean on = property.isOn(context.getEnvironment());
        return new ConditionOutcome(
                on == wanted.getBoolean("on"),
                ConditionMessage.forCondition(ConditionalOnSwitch.class)
                        .because("%s is %s".formatted(property, on ? "on" : "off")));
    }
}
