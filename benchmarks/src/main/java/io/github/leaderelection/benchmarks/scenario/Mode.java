package io.github.leaderelection.benchmarks.scenario;

/**
 * The extent of a run.
 *
 * @param defaultSelection the scenarios and servers if none are named; empty: all
 * @param warmUp the repetitions before the measured ones, where one takes milliseconds
 * @param repeats the measured repetitions, where one takes milliseconds
 * @param rounds the repetitions where one takes seconds
 * @param manyRounds the repetitions where results vary a lot: many elections on one connection, and {@code isLeader()}
 * @param handOvers the hand-overs among many candidates
 * @param elections the number of elections on one connection
 * @param idleSeconds how long idle connections are observed
 * @param restSeconds how long elections at rest are observed
 * @param maxCandidates the most candidates of one election in {@code growth}; the most elections are ten times as many
 * @param coldRounds the pairs of new processes per subject
 */
public record Mode(
        String name,
        String defaultSelection,
        int warmUp,
        int repeats,
        int rounds,
        int manyRounds,
        int handOvers,
        int elections,
        int idleSeconds,
        int restSeconds,
        int maxCandidates,
        int coldRounds) {

    private static final String SHORT_SELECTION = "many,hand-over,first,herd,requests,crash,cold,jmh,memory,ensemble";

    public static Mode named(String name) {
        return switch (name) {
            case "short" -> new Mode(name, SHORT_SELECTION, 20, 50, 1, 1, 10, 200, 9, 6, 100, 5);
            case "full" -> new Mode(name, "", 100, 250, 3, 9, 50, 1_000, 68, 20, 1_000, 15);
            default -> throw new IllegalArgumentException("Unknown mode: " + name + "; the modes are short and full");
        };
    }
}
