package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.server.ChildProcess;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Candidate;
import io.github.leaderelection.benchmarks.subject.Subject.Connection;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A process with one candidate. It connects, executes the commands of its parent, and reports times as
 * {@link System#nanoTime}. On Linux all processes share that clock, so times of several processes can be compared.
 */
final class CandidateMain implements Runnable {

    static final String CONNECTED = "connected";
    static final String JOIN = "join";
    static final String GRANTED = "granted";
    static final String CLOSE = "close";

    private final Connection connection;
    private final String path;
    private @Nullable Candidate candidate;

    private CandidateMain(Connection connection, String path) {
        this.connection = connection;
        this.path = path;
    }

    public static void main(String[] arguments) throws InterruptedException {
        BlockingQueue<String> commands = ChildProcess.commands();
        Subject subject = Subjects.named(arguments[0]).withLease(Integer.parseInt(arguments[3]));
        Connection connection = subject.connect(arguments[1], Integer.parseInt(arguments[2]));
        var candidate = new CandidateMain(connection, arguments[4]);
        report(CONNECTED, System.nanoTime());
        while (true) {
            candidate.execute(commands.take());
        }
    }

    private void execute(String command) {
        long start = System.nanoTime();
        if (command.equals(JOIN)) {
            candidate = connection.candidate(path, this);
            candidate.start();
        } else if (candidate != null) {
            candidate.close();
        }
        report(command, start);
    }

    /** Leadership was granted. */
    @Override
    public void run() {
        report(GRANTED, System.nanoTime());
    }

    /** Without string concatenation: its first use in a JVM takes milliseconds, and the subject must not find that done. */
    private static void report(String what, long nanos) {
        synchronized (System.out) {
            System.out.print(what);
            System.out.print(' ');
            System.out.println(nanos);
        }
    }
}
