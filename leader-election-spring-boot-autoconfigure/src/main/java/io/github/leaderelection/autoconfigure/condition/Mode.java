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
     * Ahead-of-time processing decides for a mode when the application is built. If another one is asked for when it
     * starts, it must not go unheard: with the wrong one every instance would lead.
     */
    public void requireBuiltFor(Mode built) {
        if (this != built) {
            throw new MisconfigurationException(
                    "leader-election.mode is %s, but ahead-of-time processing has built this application for %s."
                            .formatted(
                                    name().toLowerCase(Locale.ROOT),
                                    built.name().toLowerCase(Locale.ROOT)),
                    "Build it with the mode in which it is to run, or start it with spring.aot.enabled=false.");
        }
    }
}
