package io.github.leaderelection.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The main class of a candidate process. It takes part, records whether it leads, and writes to the fenced resources. It
 * reads commands from its standard input, and ends when that ends, since then its parent has ended.
 */
final class SoakCandidate {

    static final String STEP_DOWN = "step-down";
    static final String WITHDRAW = "withdraw";
    /** Followed by the id of a candidate. */
    static final String HAND_OVER_TO = "hand-over-to ";

    static final String LEAVE = "leave";

    private SoakCandidate() {}

    public static void main(String[] arguments) throws IOException {
        String id = arguments[0];
        String address = arguments[1];
        Duration session = Duration.parse(arguments[2]);
        String database = arguments[3];
        HistoryWriter history = new HistoryWriter(Path.of(arguments[4]));
        boolean naive = Boolean.parseBoolean(arguments[5]);

        history.note("started");
        // A candidate without its sampler would look like one that does not lead.
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            history.note("failure in " + thread.getName() + " " + failure);
            Runtime.getRuntime().halt(2);
        });
        SoakElection election = naive
                ? new NaiveElection(id, address, session, history)
                : new LibraryElection(id, address, session, history);
        start("sampler", new Sampler(election, history));
        start(
                "zookeeper-writer",
                new FencedWriter(FencedResource.ZOOKEEPER, election, history, ZooKeeperFence.of(election, id)));
        start("sql-writer", new FencedWriter(FencedResource.SQL, election, history, SqlFence.of(database, id)));
        executeCommands(election, history);
    }

    private static void executeCommands(SoakElection election, HistoryWriter history) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            history.note("command " + command);
            if (command.startsWith(HAND_OVER_TO)) {
                String candidate = command.substring(HAND_OVER_TO.length());
                start("hand-over", () -> attempt(() -> election.handOver(candidate), history));
                continue;
            }
            switch (command) {
                case STEP_DOWN -> start(command, () -> attempt(election::stepDown, history));
                case WITHDRAW -> start(command, () -> attempt(election::withdrawAndReturn, history));
                case LEAVE -> {
                    election.close();
                    history.note("left");
                    Runtime.getRuntime().halt(0);
                }
                default -> throw new IllegalArgumentException(command);
            }
        }
        Runtime.getRuntime().halt(1);
    }

    private static void attempt(Runnable action, HistoryWriter history) {
        try {
            action.run();
        } catch (RuntimeException failure) {
            history.note("failure " + failure.getMessage());
        }
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
