package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.Role;

/** What follows when a candidate has left. */
public enum AfterLeaving {
    REJOIN,
    /** Rejoin after a pause, so that the cause does not recur at once. */
    PAUSE,
    /** Delete what is left of an ended election, then rejoin. */
    CLEAR,
    OBSERVE,
    CLOSE,
    /** Nothing: the election has ended for everyone. */
    END;

    /** The role that is already shown while leaving. */
    Role role() {
        return switch (this) {
            case REJOIN, PAUSE, CLEAR -> Role.CANDIDATE;
            case OBSERVE -> Role.OBSERVER;
            case CLOSE, END -> Role.CLOSED;
        };
    }

    /** Whether it can no longer be replaced by something else. */
    boolean isFinal() {
        return role() == Role.CLOSED;
    }
}
