package io.github.leaderelection.soak;

/**
 * A time in which a candidate answered "yes" whenever it was asked, in one term.
 *
 * <p>The first "yes" was given between {@code firstAsked} and {@code firstAnswered}, the last one between
 * {@code lastAsked} and {@code lastAnswered}. So the candidate certainly led from {@code firstAnswered} to
 * {@code lastAsked}. It cannot have led before {@code noBefore}, when it was asked for the last "no" before, nor after
 * {@code noAfter}, when it had given the next one.
 *
 * @param token zero if unknown: the term ended before it could be asked for its token
 */
record ObservedTerm(
        String candidate,
        long number,
        long token,
        long noBefore,
        long firstAsked,
        long firstAnswered,
        long lastAsked,
        long lastAnswered,
        long noAfter) {

    /** Whether both certainly led at the same moment, whatever pauses there were between the clock and an answer. */
    boolean overlaps(ObservedTerm other) {
        return firstAnswered <= other.lastAsked && other.firstAnswered <= lastAsked;
    }

    /** For how long both may have led, as far as sampling can tell; negative if they cannot have. */
    long possibleOverlap(ObservedTerm other) {
        return Math.min(noAfter, other.noAfter) - Math.max(noBefore, other.noBefore);
    }
}
