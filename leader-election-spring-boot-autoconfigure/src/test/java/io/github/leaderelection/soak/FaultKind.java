package io.github.leaderelection.soak;

import java.time.Duration;
import java.util.Random;

/** The faults that the nemesis can inject. Durations are in multiples of the session timeout. */
enum FaultKind {
    SERVER_KILLED("server killed", Scope.ENSEMBLE, 0.2, 2),
    SERVER_PAUSED_BRIEFLY("server paused briefly", Scope.ENSEMBLE, 0.1, 0.8),
    SERVER_PAUSED("server paused", Scope.ENSEMBLE, 1.2, 2.5),
    LEADER_PARTITIONED("ZooKeeper leader partitioned", Scope.ENSEMBLE, 0.5, 2.5),
    FOLLOWER_PARTITIONED("ZooKeeper follower partitioned", Scope.ENSEMBLE, 0.5, 2.5),
    ENSEMBLE_SLOW("server's links slow", Scope.ENSEMBLE, 0.7, 2),
    ROLLING_RESTART("rolling restart", Scope.ENSEMBLE, 2, 2),
    QUORUM_LOST("quorum lost", Scope.ENSEMBLE, 1.3, 2.2),
    CANDIDATE_KILLED("candidate killed", Scope.CANDIDATE, 0.1, 1.7),
    CANDIDATE_PAUSED_BRIEFLY("candidate paused briefly", Scope.CANDIDATE, 0.1, 0.8),
    CANDIDATE_PAUSED("candidate paused", Scope.CANDIDATE, 1.2, 2.5),
    /** For less than a lease, which is a third of the session timeout. */
    LEADER_FROZEN_WITHIN_LEASE("leader frozen for less than a lease", Scope.CANDIDATE, 0.05, 0.3),
    /** For more than a lease, but less than the session timeout. */
    LEADER_FROZEN_PAST_LEASE("leader frozen for more than a lease", Scope.CANDIDATE, 0.38, 0.95),
    LINKS_BLACK_HOLED_BRIEFLY("client links black-holed briefly", Scope.CANDIDATE, 0.2, 0.9),
    LINKS_BLACK_HOLED("client links black-holed", Scope.CANDIDATE, 1.1, 2.4),
    LINKS_FLAPPING("client links flapping", Scope.LINK_QUALITY, 0.7, 1.7),
    LINKS_SLOW("client links slow", Scope.LINK_QUALITY, 0.7, 1.7),
    NODE_DELETED("candidate's node deleted", Scope.CANDIDATE, 0, 0),
    HEARTBEAT_DELETED("heartbeat deleted", Scope.CANDIDATE, 0, 0),
    HAND_OVER("hand-over requested", Scope.REQUEST, 0, 0),
    HAND_OVER_TO("hand-over to a given candidate requested", Scope.REQUEST, 0, 0);

    enum Scope {
        /** The ensemble is unhealthy until the fault ends and all servers serve again. */
        ENSEMBLE,
        /** Another candidate can lead as soon as the victim's session has ended. */
        CANDIDATE,
        /** The victim keeps its session and its place in the queue, but may not be able to lead. */
        LINK_QUALITY,
        /** No fault: something that applications do. */
        REQUEST
    }

    private final String title;
    private final Scope scope;
    private final double shortest;
    private final double longest;

    FaultKind(String title, Scope scope, double shortest, double longest) {
        this.title = title;
        this.scope = scope;
        this.shortest = shortest;
        this.longest = longest;
    }

    String title() {
        return title;
    }

    Scope scope() {
        return scope;
    }

    boolean isFault() {
        return scope != Scope.REQUEST;
    }

    /** Whether no leader is required while it lasts. */
    boolean excuses() {
        return scope == Scope.ENSEMBLE || scope == Scope.LINK_QUALITY;
    }

    /** Whether ZooKeeper does not hear from the candidate while it lasts. */
    boolean silences() {
        return scope == Scope.CANDIDATE && this != NODE_DELETED && this != HEARTBEAT_DELETED;
    }

    Duration duration(Random random, Duration session) {
        double sessions = shortest + random.nextDouble() * (longest - shortest);
        return Duration.ofNanos((long) (session.toNanos() * sessions));
    }
}
