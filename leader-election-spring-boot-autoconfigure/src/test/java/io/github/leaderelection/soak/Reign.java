package io.github.leaderelection.soak;

/**
 * A time in which a candidate answered "yes" whenever it was asked, in one term.
 *
 * <p>The first "yes" was given between {@code firstAsked} and {@code firstAnswered}, the last one between
 * {@code lastAsked} and {@code lastAnswered}. So it certainly led from {@code firstAnswered} to {@code lastAsked}. It can
 * not have led before {@code noBefore}, when the last "no" before was asked for, nor after {@code noAfter}, when the next
 * one was there.
 *
 * @param token zero where it is not known: the term was over before it could be asked for its token
 */
record Reign(
        String who,
        long term,
        long token,
        long noBefore,
        long firstAsked,
        long firstAnswered,
        long lastAsked,
        long lastAnswered,
        long noAfter) {

    /** Whether both certainly led at one moment: no pause between a reading of the clock and an answer explains it. */
    boolean overlaps(Reign other) {
        return firstAnswered <= other.lastAsked && other.firstAnswered <= lastAsked;
    }

    /** For how long both may have led, by what the questions left open; negative if they can't have. */
    long possibleOverlap(Reign other) {
        return Math.min(noAfter, other.noAfter) - Math.max(noBefore, other.noBefore);
    }
}
