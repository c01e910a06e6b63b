package io.github.leaderelection.autoconfigure.condition;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The condition of {@link ConditionalOnEnabledProperty}. */
final class OnEnabledPropertyCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        MergedAnnotation<ConditionalOnEnabledProperty> wanted =
                metadata.getAnnotations().get(ConditionalOnEnabledProperty.class);
        EnabledProperty property = wanted.getEnum("value", EnabledProperty.class);
        boolean on = property.isOn(context.getEnvironment());
        return new ConditionOutcome(
                on == wanted.getBoolean("on"),
                ConditionMessage.forCondition(ConditionalOnEnabledProperty.class)
                        .because("%s is %s".formatted(property, on ? "on" : "off")));
    }
}
