package io.github.leaderelection.support;

import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/**
 * Monitors internals of an election that listeners do not see. Called on threads of the election or of its callers, so it
 * must not block.
 */
public interface ElectionMonitor {

    /**
     * Leadership was granted after a predecessor.
     *
     * @param time the time since the predecessor's node was found to be gone
     */
    default void tookOver(Duration time) {}

    /** The leadership was taken from a leader that had fallen silent, before its session ended. */
    default void tookOverFromSilentLeader() {}

    /** This process has handed leadership to a chosen candidate. */
    default void moved(MoveCause cause) {}

    /** Listeners or leader-only work have not finished within the drain timeout. */
    default void overran() {}

    /** This process was asked to withdraw, whether it was a candidate or not. */
    default void withdrawn() {}

    /**
     * A thread is about to wait for leadership although this process is not nominated.
     *
     * @throws IllegalStateException if it would wait in vain
     */
    default void awaitedWithoutNomination() {}

    /** Notifies all monitors, and logs their failures. */
    static void tell(String election, Iterable<ElectionMonitor> monitors, Consumer<ElectionMonitor> event) {
        for (ElectionMonitor monitor : monitors) {
            try {
                event.accept(monitor);
            } catch (Throwable failure) {
                LoggerFactory.getLogger(ElectionMonitor.class)
                        .warn("A monitor of election '{}' failed", election, failure);
            }
        }
    }
}
