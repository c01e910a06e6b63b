package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.server.ChildProcess;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Contender;
import io.github.leaderelection.benchmarks.subject.Subject.Member;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A process with one candidate. It connects, and then follows the commands of its parent. The parent learns the times, which
 * it can compare with those of other processes: on Linux {@link System#nanoTime} is the time since the machine started.
 */
final class CandidateMain implements Runnable {

    static final String CONNECTED = "connected";
    static final String JOIN = "join";
    static final String GRANTED = "granted";
    static final String CLOSE = "close";

    private final Member member;
    private final String path;
    private @Nullable Contender contender;

    private CandidateMain(Member member, String path) {
        this.member = member;
        this.path = path;
    }

    public static void main(String[] arguments) throws InterruptedException {
        BlockingQueue<String> commands = ChildProcess.commands();
        Member member = Subject.named(arguments[0]).connect(arguments[1], Integer.parseInt(arguments[2]));
        var candidate = new CandidateMain(member, arguments[3]);
        report(CONNECTED, System.nanoTime());
        while (true) {
            candidate.obey(commands.take());
        }
    }

    private void obey(String command) {
        long start = System.nanoTime();
        if (command.equals(JOIN)) {
            contender = member.contender(path, this);
            contender.start();
        } else if (contender != null) {
            contender.close();
        }
        report(command, start);
    }

    /** Leadership was granted. */
    @Override
    public void run() {
        report(GRANTED, System.nanoTime());
    }

    /** Without concatenation: the first one in a process takes milliseconds, and may be what the subject has to pay for. */
    private static void report(String what, long nanos) {
        synchronized (System.out) {
            System.out.print(what);
            System.out.print(' ');
            System.out.println(nanos);
        }
    }
}
