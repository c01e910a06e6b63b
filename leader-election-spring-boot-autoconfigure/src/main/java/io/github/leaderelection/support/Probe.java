package io.github.leaderelection.support;

import java.time.Duration;

/** Told what listeners are not, for the sake of meters. Called on the election's own threads, so it must not block. */
public interface Probe {

    /** Leadership was granted that long after the predecessor's node was seen to be gone. */
    default void tookOver(Duration time) {}

    /** Leadership is handed over though listeners and leader-only work have not come to an end in time. */
    default void overran() {}
}
