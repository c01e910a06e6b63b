package io.github.leaderelection.zookeeper.simulation;

/** What must hold at every step; the numbers are those of the fault catalogue. */
enum SimInvariant {
    /** At most one leads at any instant. */
    I1,
    /** Whoever leads was proven, by a quorum, to have its node. */
    I2,
    /** One live node per candidacy. */
    I3,
    /** Left in peace, somebody leads, and no stray node is left. */
    I4,
    /** Granted and revoked alternate; drained before the node is deleted. */
    I6,
    /** Tokens grow from leader to leader, and what a guard lets through never falls back. */
    I7,
    /** An election that has ended stays ended until its record is removed. */
    ENDED
}
