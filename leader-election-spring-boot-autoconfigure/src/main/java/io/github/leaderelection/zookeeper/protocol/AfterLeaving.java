package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.Role;

/** What follows when a candidate has left. */
public enum AfterLeaving {
    REJOIN,
    /** Rejoin after a pause: whatever made it leave would come again at once. */
    PAUSE,
    /** Clear away what is left of the election, then rejoin. */
    CLEAR,
    OBSERVE,
    CLOSE,
    /** Nothing: the election has ended for everyone. */
    END;

    /** What it is called already while it is being brought about. */
    Role role() {
        return switch (this) {
            case REJOIN, PAUSE, CLEAR -> Role.CANDIDATE;
            case OBSERVE -> Role.OBSERVER;
            case CLOSE, END -> Role.CLOSED;
        };
    }

    /** Whether nothing can take its place any more. */
    boolean isFinal() {
        return role() == Role.CLOSED;
    }
}
