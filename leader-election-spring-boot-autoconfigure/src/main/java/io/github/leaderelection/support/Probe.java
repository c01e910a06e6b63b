package io.github.leaderelection.support;

import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** Told what listeners are not, for the sake of meters. Called on the election's own threads, so it must not block. */
public interface Probe {

    /** Leadership was granted that long after the predecessor's node was seen to be gone. */
    default void tookOver(Duration time) {}

    /** Listeners and leader-only work have not come to an end in time, and are waited for no longer. */
    default void overran() {}

    /** Tells all of them; what is measured must not keep anything from going on. */
    static void tell(String election, Iterable<Probe> probes, Consumer<Probe> event) {
        for (Probe probe : probes) {
            try {
                event.accept(probe);
            } catch (Throwable failure) {
                LoggerFactory.getLogger(Probe.class).warn("A meter of election '{}' failed", election, failure);
            }
        }
    }
}
