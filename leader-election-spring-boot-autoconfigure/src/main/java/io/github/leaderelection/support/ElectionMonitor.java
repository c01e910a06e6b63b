package io.github.leaderelection.support;

import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/**
 * Told what listeners are not, for those who run elections. Called on the election's own threads, or on that of whoever
 * asked, so it must not block.
 */
public interface ElectionMonitor {

    /** Leadership was granted that long after the predecessor's node was seen to be gone. */
    default void tookOver(Duration time) {}

    /** Listeners and leader-only work have not come to an end in time, and are waited for no longer. */
    default void overran() {}

    /** Somebody wants this process to take no part any more, whether it did or not. */
    default void withdrawn() {}

    /** Tells all of them; a failure of theirs must not keep anything from going on. */
    static void tell(String election, Iterable<ElectionMonitor> monitors, Consumer<ElectionMonitor> event) {
        for (ElectionMonitor monitor : monitors) {
            try {
                event.accept(monitor);
            } catch (Throwable failure) {
                LoggerFactory.getLogger(ElectionMonitor.class)
                        .warn("A probe of election '{}' failed", election, failure);
            }
        }
    }
}
