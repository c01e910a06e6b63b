package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.support.MisconfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** A property that decides which beans there are, and so is needed before the properties are bound. */
enum Switch {
    ELECTIONS("leader-election.enabled", true),
    EMBEDDED_SERVER("leader-election.zookeeper.embedded.enabled", false);

    private final String property;
    private final boolean unlessSet;

    Switch(String property, boolean unlessSet) {
        this.property = property;
        this.unlessSet = unlessSet;
    }

    /** @throws MisconfigurationException if the value says neither; a guess could have every instance lead */
    boolean isOn(Environment environment) {
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

    @Override
    public String toString() {
        return property;
    }
}
