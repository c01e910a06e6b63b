package io.github.leaderelection.zookeeper.simulation;

/** What must hold at every step. */
enum SimInvariant {
    /** At most one candidate leads at any instant. */
    I1,
    /** A heartbeat has proven that the leader's node exists. */
    I2,
    /** A candidacy has at most one node. */
    I3,
    /** When all faults have ended a candidate leads, and no stray node is left. */
    I4,
    /** Granted and revoked alternate, and a term has drained before its node is deleted. */
    I6,
    /** Tokens grow from leader to leader, and guarded writes are never committed with a lower token. */
    I7,
    /** A candidate is deposed by another one only if it has not renewed its lease for longer than that. */
    DEPOSED_IN_TIME,
    /** An heir whose take-over has failed tries again only after another 1.1 leases. */
    ATTEMPTS,
    /**
     * If a leader fails while nothing else does, its heir leads when 1.1 leases have passed; after an outage a candidate leads
     * when these have passed.
     */
    FAIL_OVER,
    /** A leader stops some time before its lease ends, so that its work can stop within the lease. */
    GRACE,
    /** Neither a priority nor spreading ends a term that a client has asked for. */
    REQUESTED,
    /** An election that has ended stays ended until its record is removed. */
    ENDED
}
