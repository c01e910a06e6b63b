package io.github.leaderelection.zookeeper.simulation;

/** What can go wrong, or be asked for, at any time. Those with two parts make likely what chance alone would rarely do. */
enum SimAction {
    // the user
    NOMINATE,
    STEP_DOWN,
    WITHDRAW,
    RESIGN,
    DELETE,
    SLOW_DELETE,
    /** A guarded write by somebody who leads or has led. */
    WRITE,

    // the network
    CUT,
    CUT_LEADER,
    /** Nothing gets through, and the client notices late. */
    MUTE,
    UNREACHABLE,
    JOIN_AND_CUT,
    TWINS,
    NAME_AND_DELETE_NODE,
    STEP_DOWN_AND_CUT,
    REWRITE_AND_DELETE_NODE,
    CUT_AND_DELETE_NODE,
    CUT_AND_WIPE,

    // the servers
    FREEZE,
    FREEZE_LEADER,
    FREEZE_AND_EXPIRE,
    EXPIRE,
    EXPIRE_LEADER,
    OUTAGE,

    // the processes
    PAUSE,
    PAUSE_LEADER,
    PAUSE_AND_DELETE_NODE,
    SUSPEND,
    SUSPEND_LEADER,
    JUMP,
    CRASH,
    CRASH_LEADER,

    // administrators
    DELETE_NODE,
    DELETE_LEADER_NODE,
    DELETE_RECORD,
    SPOIL_RECORD,
    DELETE_BEAT,
    REWRITE_NODE,
    FOREIGN_CHILD,
    /** A persistent node with a candidate's name. */
    LOOK_ALIKE,
    WIPE,
    WIPE_ALL,
    MAKE,
    /** The sequence is about to reach its end (F59). */
    OVERFLOW,
    DENY,
    ALLOW
}
