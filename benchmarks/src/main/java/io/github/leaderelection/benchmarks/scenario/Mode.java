package io.github.leaderelection.benchmarks.scenario;

/**
 * How much is measured.
 *
 * @param warmUp how often what takes a millisecond is done before it counts
 * @param repeats how often it is done then
 * @param rounds how often what takes seconds is done
 * @param mostElections the most elections on one connection
 */
public record Mode(String name, int warmUp, int repeats, int rounds, int mostElections) {

    public static Mode named(String name) {
        return switch (name) {
            case "short" -> new Mode(name, 40, 80, 1, 1_000);
            case "full" -> new Mode(name, 200, 600, 5, 10_000);
            default -> throw new IllegalArgumentException("Not a mode: " + name + "; there are short and full");
        };
    }
}
