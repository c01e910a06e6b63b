package io.github.leaderelection.zookeeper;

/** What follows when a candidate has left. */
enum Departure {
    REJOIN,
    /** Rejoin after a pause: whatever made it leave would come again at once. */
    PAUSE,
    /** Clear away what is left of the election, then rejoin. */
    CLEAR,
    OBSERVE,
    CLOSE,
    /** Nothing: the election has ended for everyone. */
    END;

    /** Whether nothing can take its place any more. */
    boolean isFinal() {
        return this == CLOSE || this == END;
    }
}
