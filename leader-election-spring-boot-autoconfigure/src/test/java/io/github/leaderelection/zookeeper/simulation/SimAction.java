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
    /** The leader hands over to a candidate of its choice. */
    HAND_OVER_TO,
    /** Any process asks for a hand-over to a candidate of its choice. */
    ASK_FOR_HAND_OVER,
    DELETE_DURING_HAND_OVER,
    DELETE_DURING_CLAIM,
    /** Guarded writes by current and former leaders. */
    WRITE,
    /** The leader steps down, and its work takes longer than a lease to end. */
    STEP_DOWN_AND_DRAIN,
    /** All candidates leave, and come back while their heartbeats are still observed. */
    LEAVE_AND_RETURN,
    DELETE_DURING_TAKE_OVER,
    /** A candidate joins and is handed the leadership, while the first one in the queue is cut off. */
    HAND_OVER_UNSEEN,

    // the network
    CUT,
    CUT_LEADER,
    /** Nothing passes, and the client notices late. */
    BLACK_HOLE,
    UNREACHABLE,
    /** Outages that are much shorter than the lease, one after the other. */
    SHORT_CUTS,
    /** The leader's heartbeats are seen late. */
    LAG_FOLLOWERS,
    /** A former leader takes over, while its former heir still has its last heartbeat in mind. */
    TAKE_OVER_AGAIN,
    /** The heir is slow to observe the leader, which falls silent. */
    SLOW_HEIR,
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
    PAUSE_LEADER_WITHIN_LEASE,
    PAUSE_LEADER_PAST_LEASE,
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
    DELETE_LEADER_HEARTBEAT,
    /** Another node under the heartbeat's name. */
    REPLACE_HEARTBEAT,
    /** Another node under the heartbeat's name reaches the version that a lagging heir has sighted. */
    REPLACE_HEARTBEAT_UNSEEN,
    REWRITE_NODE,
    REWRITE_LEADER_NODE,
    FOREIGN_CHILD,
    /** A persistent node with a name like that of a candidate. */
    FOREIGN_CANDIDATE,
    WIPE,
    WIPE_ALL,
    CREATE_PATH,
    /** The sequence is about to overflow (F59). */
    OVERFLOW,
    DENY,
    /** Clients may not delete each other's nodes. */
    DENY_DELETES,
    ALLOW
}
