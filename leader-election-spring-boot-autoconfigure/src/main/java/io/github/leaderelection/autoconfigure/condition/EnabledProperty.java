package io.github.leaderelection.autoconfigure.condition;

import io.github.leaderelection.support.MisconfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** A property that decides which beans there are, and so is needed before the properties are bound. */
public enum EnabledProperty {
    ELECTIONS("leader-election.enabled", true),
    EMBEDDED_SERVER("leader-election.zookeeper.embedded.enabled", false);

    private final String property;
    private final boolean unlessSet;

    EnabledProperty(String property, boolean unlessSet) {
        this.property = property;
        this.unlessSet = unlessSet;
    }

    /**
     * Whether the property is true.
     *
     * @throws MisconfigurationException if it is neither true nor false: a wrong guess could make every instance lead
     */
    public boolean isOn(Environment environment) {
        Binder binder = Binder.get(environment);
        String value = binder.bind(property, String.class).orElse(null);
        if (value == null) {
            return unlessSet;
        }
        Boolean on = parse(binder);
        if (on == null) {
            throw new MisconfigurationException(
                    "%s is '%s', which is neither true nor false.".formatted(property, value),
                    "Set %s to true or false, or leave it out, which means %s.".formatted(property, unlessSet));
        }
        return on;
    }

    /** Null if the value is empty or senseless. */
    private @Nullable Boolean parse(Binder binder) {
        try {
            return binder.bind(property, Boolean.class).orElse(null);
        } catch (BindException senseless) {
            return null;
        }
    }

    /**
     * Ahead-of-time processing decides for a position when the application is built. If another one is asked for when it
     * starts, it must not go unheard: leader-only work would run unguarded, or a server be used that is not meant.
     */
    public void requireBuilt(boolean on, Environment environment) {
        if (isOn(environment) != on) {
            throw new MisconfigurationException(
                    "%s is %s, but ahead-of-time processing has built this application for %s."
                            .formatted(property, !on, on),
                    "Build it with the value with which it is to run, or start it with spring.aot.enabled=false.");
        }
    }

    @Override
    public String toString() {
        return property;
    }
}
