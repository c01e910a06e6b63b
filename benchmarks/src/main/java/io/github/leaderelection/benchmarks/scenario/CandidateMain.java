package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.server.ChildProcess;
import io.github.leaderelection.benchmarks.subject.Subject;

/** A process with one candidate, to be killed. */
final class CandidateMain {

    private CandidateMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ChildProcess.endWithParent();
        Subject.named(arguments[0])
                .connect(arguments[1], Integer.parseInt(arguments[2]))
                .contender(arguments[3], () -> {})
                .start();
        Thread.currentThread().join();
    }
}
