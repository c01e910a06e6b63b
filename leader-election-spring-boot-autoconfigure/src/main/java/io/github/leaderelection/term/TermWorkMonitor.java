package io.github.leaderelection.term;

import io.github.leaderelection.Election;
import java.util.function.BooleanSupplier;

/** Monitors the work that runs for terms, for metrics. If there is a unique bean of this type, it is used. */
public interface TermWorkMonitor {

    /** Monitors nothing. */
    TermWorkMonitor NONE = (election, name, running) -> () -> {};

    /**
     * Returns the monitor of one piece of work; called when the application starts.
     *
     * @param name the name of the method or the bean
     * @param running whether it is running
     */
    WorkMonitor register(Election election, String name, BooleanSupplier running);

    /** Monitors one piece of work. */
    interface WorkMonitor {

        /** The work has not ended within the drain timeout. */
        void overran();
    }
}
