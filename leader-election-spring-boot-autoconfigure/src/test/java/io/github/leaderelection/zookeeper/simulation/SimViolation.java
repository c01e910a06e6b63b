package io.github.leaderelection.zookeeper.simulation;

/** An invariant does not hold; ends the schedule. */
final class SimViolation extends AssertionError {

    private static final long serialVersionUID = 1L;

    private final SimInvariant invariant;

    SimViolation(SimInvariant invariant, String message) {
        super(invariant + ": " + message);
        this.invariant = invariant;
    }

    SimInvariant invariant() {
        return invariant;
    }
}
