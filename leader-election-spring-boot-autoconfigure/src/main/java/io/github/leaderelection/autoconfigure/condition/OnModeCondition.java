package io.github.leaderelection.autoconfigure.condition;

import io.github.leaderelection.support.MisconfigurationException;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The condition of {@link ConditionalOnMode}. */
final class OnModeCondition extends SpringBootCondition {

    private static final String PROPERTY = "leader-election.mode";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Mode required = metadata.getAnnotations().get(ConditionalOnMode.class).getEnum("value", Mode.class);
        Mode mode = mode(context.getEnvironment());
        return new ConditionOutcome(
                mode == required,
                ConditionMessage.forCondition(ConditionalOnMode.class).because("%s is %s".formatted(PROPERTY, mode)));
    }

    private static Mode mode(Environment environment) {
        Binder binder = Binder.get(environment);
        String value = binder.bind(PROPERTY, String.class).orElse(null);
        if (value == null) {
            return Mode.ZOOKEEPER;
        }
        if (value.isBlank()) {
            // The binder would treat it like a missing value.
            throw new MisconfigurationException(
                    PROPERTY + " is empty.",
                    "Set it to zookeeper or local, or remove it to use the default (zookeeper).");
        }
        return binder.bind(PROPERTY, Mode.class).get();
    }
}
