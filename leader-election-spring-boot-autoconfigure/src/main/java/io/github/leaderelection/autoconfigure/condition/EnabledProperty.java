package io.github.leaderelection.autoconfigure.condition;

import io.github.leaderelection.support.MisconfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** A boolean property that decides which beans are defined, and is therefore read before the properties are bound. */
public enum EnabledProperty {
    LEADER_ELECTION("leader-election.enabled", true),
    EMBEDDED_ZOOKEEPER("leader-election.zookeeper.embedded.enabled", false),
    LEAVE_WHEN_DOWN("leader-election.leave-when-down.enabled", false),
    PROBLEM_DETAILS("leader-election.web.problem-details", true);

    private final String property;
    private final boolean defaultValue;

    EnabledProperty(String property, boolean defaultValue) {
        this.property = property;
        this.defaultValue = defaultValue;
    }

    /**
     * Reads the property.
     *
     * @throws MisconfigurationException if the value is not boolean, because a wrong guess could make every instance
     *     lead
     */
    public boolean isEnabled(Environment environment) {
        Binder binder = Binder.get(environment);
        String value = binder.bind(property, String.class).orElse(null);
        if (value == null) {
            return defaultValue;
        }
        Boolean enabled = parse(binder);
        if (enabled == null) {
            throw new MisconfigurationException(
                    "%s is '%s', which is neither true nor false.".formatted(property, value),
                    "Set %s to true or false, or remove it to use the default (%s).".formatted(property, defaultValue));
        }
        return enabled;
    }

    /** Returns null if the value is empty or not a boolean. */
    private @Nullable Boolean parse(Binder binder) {
        try {
            return binder.bind(property, Boolean.class).orElse(null);
        } catch (BindException invalid) {
            return null;
        }
    }

    /**
     * Verifies that the property has the value for which ahead-of-time processing has selected the beans. A different value
     * at run time must not be ignored: leader-only methods would run unguarded, or the wrong server would be used.
     */
    public void requireBuildTimeValue(boolean buildTimeValue, Environment environment) {
        if (isEnabled(environment) != buildTimeValue) {
            throw new MisconfigurationException(
                    "%s is %s, but ahead-of-time processing has built this application for %s."
                            .formatted(property, !buildTimeValue, buildTimeValue),
                    "Build the application with the same value, or start it with spring.aot.enabled=false.");
        }
    }

    @Override
    public String toString() {
        return property;
    }
}
