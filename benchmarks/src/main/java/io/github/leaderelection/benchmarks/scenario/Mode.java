package io.github.leaderelection.benchmarks.scenario;

/**
 * How much is measured.
 *
 * @param usual what is measured unless something else is asked for; nothing stands for everything
 * @param warmUp how often what takes a millisecond is done before it counts
 * @param repeats how often it is done then
 * @param rounds how often what takes seconds is done
 * @param manyRounds how often what varies a lot is done: leading many elections, and what takes nanoseconds
 * @param handOvers how often a hand-over among many candidates is done
 * @param elections how many elections there are where there are many
 * @param idleSeconds for how long connections are left alone where nothing is to happen
 * @param most where something grows: the most candidates of an election, and a tenth of the most elections
 * @param coldRounds how many new processes of each kind are started where nothing is compiled
 */
public record Mode(
        String name,
        String usual,
        int warmUp,
        int repeats,
        int rounds,
        int manyRounds,
        int handOvers,
        int elections,
        int idleSeconds,
        int most,
        int coldRounds) {

    private static final String BRIEFLY = "many,hand-over,first,herd,requests,crash,cold,jmh,memory,ensemble";

    public static Mode named(String name) {
        return switch (name) {
            case "short" -> new Mode(name, BRIEFLY, 20, 50, 1, 1, 10, 200, 9, 100, 5);
            case "full" -> new Mode(name, "", 100, 250, 3, 9, 50, 1_000, 68, 1_000, 15);
            default -> throw new IllegalArgumentException("Not a mode: " + name + "; there are short and full");
        };
    }
}
