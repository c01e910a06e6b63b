package io.github.leaderelection.zookeeper.simulation;

import static io.github.leaderelection.zookeeper.simulation.SimAction.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The kind of a schedule: its faults, how often they occur, and how slow everything is. */
enum SimProfile {
    /** Hand-overs on a network that works. F22, F31, F32, F41, F46, F54. */
    CALM(0.002, 0.02, 0, 900, STEP_DOWN, STEP_DOWN, STEP_DOWN, WITHDRAW, RESIGN, NOMINATE, NOMINATE, WRITE, CUT),

    /** Lost and late answers, lagging servers. F1-F3, F5, F8, F10, F25, F26, F28-F30, F42-F44, F65, F66, F69-F71. */
    FLAKY(
            0.03,
            0.3,
            0.05,
            500,
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

    /** Everything at once. */
    STORM(0.04, 0.3, 0.2, 350, SimAction.values());

    final double slow;
    final double lagging;
    final double stale;
    final long pace;
    private final List<SimAction> actions;

    SimProfile(double slow, double lagging, double stale, long pace, SimAction... actions) {
        this.slow = slow;
        this.lagging = lagging;
        this.stale = stale;
        this.pace = pace;
        this.actions = new ArrayList<>(Arrays.asList(actions));
    }

    List<SimAction> actions() {
        return actions;
    }
}
