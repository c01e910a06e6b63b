package io.github.leaderelection.zookeeper.simulation;

import static io.github.leaderelection.zookeeper.simulation.SimAction.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The kind of a schedule: its faults, how often they occur, and how slow everything is. */
enum SimProfile {
    /** Hand-overs on a network that works. F22, F31, F32, F41, F46, F54. */
    CALM(
            0.002,
            0.02,
            0,
            900,
            30_000,
            HAND_OVER_TO,
            HAND_OVER_TO,
            ASK_FOR_HAND_OVER,
            STEP_DOWN,
            STEP_DOWN,
            STEP_DOWN,
            WITHDRAW,
            RESIGN,
            NOMINATE,
            NOMINATE,
            WRITE,
            CUT),

    /** Lost and late answers, lagging servers. F1-F3, F5, F8, F10, F25, F26, F28-F30, F42-F44, F65, F66, F69-F71. */
    FLAKY(
            0.03,
            0.3,
            0.05,
            500,
            30_000,
            SHORT_CUTS,
            LAG_FOLLOWERS,
            HAND_OVER_TO,
            CUT,
            CUT,
            CUT,
            BLACK_HOLE,
            CUT_LEADER,
            CUT_LEADER,
            STEP_DOWN,
            STEP_DOWN,
            WITHDRAW,
            RESIGN,
            NOMINATE,
            NOMINATE,
            UNREACHABLE,
            DELETE_NODE,
            WRITE,
            CUT_AND_DELETE_NODE,
            CUT_AND_DELETE_NODE,
            STEP_DOWN_AND_CUT,
            REWRITE_AND_DELETE_NODE,
            CREATE_TWINS,
            JOIN_AND_CUT,
            JOIN_AND_CUT),

    /** Candidates that do not know which node is theirs. F25, F28, F69. */
    TWIN_NODES(
            0.01,
            0.1,
            0,
            1_200,
            30_000,
            CREATE_TWINS,
            CREATE_TWINS,
            NAME_AND_DELETE_NODE,
            NAME_AND_DELETE_NODE,
            JOIN_AND_CUT,
            NOMINATE,
            STEP_DOWN),

    /** Servers that are deposed or cut off without knowing it. F4, F13-F16, F24. */
    PARTITION(
            0.02,
            0.2,
            0.4,
            600,
            30_000,
            LAG_FOLLOWERS,
            SHORT_CUTS,
            HAND_OVER_TO,
            FREEZE,
            FREEZE_LEADER,
            FREEZE_LEADER,
            FREEZE_AND_EXPIRE,
            FREEZE_AND_EXPIRE,
            CUT,
            CUT_LEADER,
            EXPIRE,
            STEP_DOWN,
            WITHDRAW,
            RESIGN,
            NOMINATE,
            NOMINATE,
            DELETE_NODE,
            UNREACHABLE,
            WRITE),

    /** Changes by administrators, and deleted elections. F9, F36, F37, F39, F40, F63, F64, F67, F68, F72. */
    ADMINISTRATION(
            0.01,
            0.15,
            0.05,
            500,
            75_000,
            DELETE_LEADER_HEARTBEAT,
            REPLACE_HEARTBEAT,
            REWRITE_LEADER_NODE,
            DELETE_DURING_CLAIM,
            DELETE_DURING_CLAIM,
            DELETE_DURING_HAND_OVER,
            DELETE_DURING_HAND_OVER,
            DENY_DELETES,
            DELETE_NODE,
            DELETE_LEADER_NODE,
            DELETE_LEADER_NODE,
            DELETE_RECORD,
            DELETE_RECORD,
            CORRUPT_RECORD,
            DELETE_HEARTBEAT,
            REWRITE_NODE,
            FOREIGN_CHILD,
            FOREIGN_CANDIDATE,
            WIPE,
            WIPE,
            WIPE_ALL,
            CREATE_PATH,
            DELETE,
            DELETE,
            NOMINATE,
            NOMINATE,
            NOMINATE,
            STEP_DOWN,
            CUT,
            CUT_LEADER,
            DENY,
            ALLOW,
            ALLOW,
            WRITE,
            WRITE,
            CUT_AND_DELETE_NODE,
            CUT_AND_WIPE,
            CUT_AND_WIPE,
            REWRITE_AND_DELETE_NODE,
            OVERFLOW),

    /** Paused processes, and clocks that are wrong. F17-F20, F61. */
    PAUSES(
            0.02,
            0.1,
            0.05,
            600,
            30_000,
            PAUSE_LEADER_WITHIN_LEASE,
            PAUSE_LEADER_PAST_LEASE,
            REWRITE_NODE,
            PAUSE,
            PAUSE,
            PAUSE_LEADER,
            PAUSE_LEADER,
            SUSPEND_LEADER,
            SUSPEND,
            CLOCK_JUMP,
            CLOCK_JUMP,
            STEP_DOWN,
            NOMINATE,
            EXPIRE,
            CUT,
            DELETE_LEADER_NODE,
            PAUSE_AND_DELETE_NODE,
            PAUSE_AND_DELETE_NODE,
            WRITE),

    /** Expired sessions and killed processes, whose successors have seen the last heartbeat. F6, F7, F21, F33-F35, F45, F71. */
    CRASHES(
            0.01,
            0.15,
            0.1,
            700,
            30_000,
            PAUSE_LEADER_PAST_LEASE,
            HAND_OVER_TO,
            CRASH_LEADER,
            CRASH_LEADER,
            CRASH,
            EXPIRE,
            EXPIRE_LEADER,
            EXPIRE_LEADER,
            UNREACHABLE,
            CUT,
            CUT,
            NOMINATE,
            NOMINATE,
            STEP_DOWN,
            CUT_AND_DELETE_NODE,
            CUT_AND_DELETE_NODE,
            OUTAGE,
            WRITE),

    /** Leaders that fall silent for about a lease, while others see them late. */
    SILENT_LEADERS(
            0.01,
            0.2,
            0.05,
            700,
            30_000,
            PAUSE_LEADER_PAST_LEASE,
            PAUSE_LEADER_PAST_LEASE,
            PAUSE_LEADER_PAST_LEASE,
            PAUSE_LEADER_WITHIN_LEASE,
            CRASH_LEADER,
            BLACK_HOLE,
            UNREACHABLE,
            LAG_FOLLOWERS,
            LAG_FOLLOWERS,
            SHORT_CUTS,
            DELETE_LEADER_HEARTBEAT,
            REPLACE_HEARTBEAT,
            REPLACE_HEARTBEAT,
            REWRITE_LEADER_NODE,
            REWRITE_NODE,
            HAND_OVER_TO,
            ASK_FOR_HAND_OVER,
            STEP_DOWN,
            NOMINATE,
            NOMINATE,
            DENY_DELETES,
            WRITE),

    /** Leaders and their heirs. Most of these take some time, so little else happens meanwhile. */
    SUCCESSION(
            0.002,
            0.05,
            0,
            2_000,
            75_000,
            STEP_DOWN_AND_DRAIN,
            HAND_OVER_UNSEEN,
            HAND_OVER_UNSEEN,
            HAND_OVER_TO,
            DELETE_DURING_TAKE_OVER,
            SLOW_HEIR,
            REPLACE_HEARTBEAT_UNSEEN,
            REPLACE_HEARTBEAT_UNSEEN,
            CUT_AND_DELETE_NODE,
            CUT_AND_DELETE_NODE,
            EXPIRE,
            NOMINATE),

    /** Leaders that leave and come back soon, before a former heir has forgotten them. Nothing else happens meanwhile. */
    RETURNS(0, 0.02, 0, 2_500, 30_000, TAKE_OVER_AGAIN, TAKE_OVER_AGAIN, TAKE_OVER_AGAIN, LEAVE_AND_RETURN),

    /** Everything at once. */
    STORM(0.04, 0.3, 0.2, 350, 75_000, SimAction.values());

    final double slow;
    final double lagging;
    final double stale;
    final long pace;
    /**
     * Within how many milliseconds after the last fault there must be one leader and no stray node: session timeout, wait for
     * an unknown lease and recheck; where candidates are refused, also the longest back-off.
     */
    final long recovery;

    private final List<SimAction> actions;

    SimProfile(double slow, double lagging, double stale, long pace, long recovery, SimAction... actions) {
        this.slow = slow;
        this.lagging = lagging;
        this.stale = stale;
        this.pace = pace;
        this.recovery = recovery;
        this.actions = new ArrayList<>(Arrays.asList(actions));
    }

    List<SimAction> actions() {
        return actions;
    }
}
