package io.github.leaderelection;

/** What this process is in an election. */
public enum Role {
    /** Not nominated. */
    OBSERVER,
    /** Nominated, and not yet placed in the queue, or claiming leadership. */
    CANDIDATE,
    /** In the queue, behind another candidate. */
    FOLLOWER,
    /** Leads, within its lease. */
    LEADER,
    /** Resigned, closed, or the election was deleted. */
    CLOSED
}
