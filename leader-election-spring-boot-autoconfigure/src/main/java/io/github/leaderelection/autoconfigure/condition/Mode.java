package io.github.leaderelection.autoconfigure.condition;

import io.github.leaderelection.support.MisconfigurationException;
import java.util.Locale;

/** Where elections are held: the values of {@code leader-election.mode}. */
public enum Mode {
    /** Elections between all instances that use the same ZooKeeper. */
    ZOOKEEPER,
    /** Elections inside this process, which always leads. For development and tests. */
    LOCAL;

    /**
     * Verifies that this is the mode for which ahead-of-time processing has selected the beans. A different mode at run time
     * must not be ignored: every instance could lead.
     */
    public void requireBuildTimeValue(Mode buildTimeValue) {
        if (this != buildTimeValue) {
            throw new MisconfigurationException(
                    "leader-election.mode is %s, but ahead-of-time processing has built this application for %s."
                            .formatted(lowerCase(), buildTimeValue.lowerCase()),
                    "Build the application with the same mode, or start it with spring.aot.enabled=false.");
        }
    }

    private String lowerCase() {
        return name().toLowerCase(Locale.ROOT);
    }
}
