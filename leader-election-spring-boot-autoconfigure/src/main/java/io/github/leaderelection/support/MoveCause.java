package io.github.leaderelection.support;

import java.util.Locale;

/** Why a leader has handed over to a candidate of its choice. */
public enum MoveCause {
    /** A client has requested it. */
    REQUESTED,
    /** The candidate has a higher priority. */
    PRIORITY,
    /** The candidate's instance leads fewer elections. */
    SPREAD;

    /** Returns the name that is used in the log and in the tags of meters. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
