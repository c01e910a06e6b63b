package io.github.leaderelection.zookeeper.simulation;

/** Faults and requests of a schedule. Those with two parts provoke a combination that would rarely occur by chance. */
enum SimAction {
    // the user
    NOMINATE,
    STEP_DOWN,
    WITHDRAW,
    RESIGN,
    DELETE,
    SLOW_DELETE,
    /** Guarded writes by current and former leaders. */
    WRITE,

    // the network
    CUT,
    CUT_LEADER,
    /** Nothing passes, and the client notices late. */
    BLACK_HOLE,
    UNREACHABLE,
    JOIN_AND_CUT,
    CREATE_TWINS,
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
    CLOCK_JUMP,
    CRASH,
    CRASH_LEADER,

    // administrators
    DELETE_NODE,
    DELETE_LEADER_NODE,
    DELETE_RECORD,
    CORRUPT_RECORD,
    DELETE_HEARTBEAT,
    REWRITE_NODE,
    FOREIGN_CHILD,
    /** A persistent node with a name like that of a candidate. */
    FOREIGN_CANDIDATE,
    WIPE,
    WIPE_ALL,
    CREATE_PATH,
    /** The sequence is about to overflow (F59). */
    OVERFLOW,
    DENY,
    ALLOW
}
