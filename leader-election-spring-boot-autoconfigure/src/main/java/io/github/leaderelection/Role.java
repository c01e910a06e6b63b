package io.github.leaderelection;

/** The role of this process in an election. */
public enum Role {
    /** Not nominated. */
    OBSERVER,
    /** Nominated, but not in the queue yet, or about to lead. */
    CANDIDATE,
    /** In the queue, behind another candidate. */
    FOLLOWER,
    /** Leads, within its lease. */
    LEADER,
    /** This process has resigned, or the election was closed or deleted. */
    CLOSED
}
