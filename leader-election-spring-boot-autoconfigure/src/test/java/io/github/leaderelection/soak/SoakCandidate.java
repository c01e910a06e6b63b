package io.github.leaderelection.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The main class of a candidate process: it takes part, writes down whether it leads, and writes to the fenced resources.
 * Its standard input tells it to hand over or to leave; where that ends, the driver has ended.
 */
final class SoakCandidate {

    static final String STEP_DOWN = "step-down";
    static final String WITHDRAW = "withdraw";
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
        // Whoever goes on without its sampler would look like one that leads no more.
        Thread.setDefaultUncaughtExceptionHandler((thread, trouble) -> {
            history.note("trouble in " + thread.getName() + " " + trouble);
            Runtime.getRuntime().halt(2);
        });
        Contender contender = naive
                ? new NaiveContender(id, address, session, history)
                : new ElectedContender(id, address, session, history);
        start("sampler", new Sampler(contender, history));
        start(
                "zookeeper-writer",
                new FencedWriter(Resource.ZOOKEEPER, contender, history, ZooKeeperFence.of(contender, id)));
        start("sql-writer", new FencedWriter(Resource.SQL, contender, history, SqlFence.of(database, id)));
        obey(contender, history);
    }

    private static void obey(Contender contender, HistoryWriter history) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            history.note("told to " + command);
            switch (command) {
                case STEP_DOWN -> start(command, () -> attempt(contender::stepDown, history));
                case WITHDRAW -> start(command, () -> attempt(contender::withdrawAndReturn, history));
                case LEAVE -> {
                    contender.close();
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
        } catch (RuntimeException trouble) {
            history.note("trouble " + trouble.getMessage());
        }
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
