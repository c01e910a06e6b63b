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
        MergedAnnotation<ConditionalOnEnabledProperty> annotation =
                metadata.getAnnotations().get(ConditionalOnEnabledProperty.class);
        EnabledProperty property = annotation.getEnum("value", EnabledProperty.class);
        boolean enabled = property.isEnabled(context.getEnvironment());
        return new ConditionOutcome(
                enabled == annotation.getBoolean("havingValue"),
                ConditionMessage.forCondition(ConditionalOnEnabledProperty.class)
                        .because("%s is %s".formatted(property, enabled)));
    }
}
