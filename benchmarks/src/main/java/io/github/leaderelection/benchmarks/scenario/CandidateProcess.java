package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.server.ChildProcess;
import io.github.leaderelection.benchmarks.subject.Subject;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** A candidate in a process of its own, controlled by the parent. Times are those of {@link System#nanoTime}. */
final class CandidateProcess implements AutoCloseable {

    private final ChildProcess process;

    CandidateProcess(Subject subject, String address, int sessionMillis, String path) {
        this(subject, address, sessionMillis, 0, path);
    }

    /** @param leaseMillis 0: the default */
    CandidateProcess(Subject subject, String address, int sessionMillis, int leaseMillis, String path) {
        process = ChildProcess.start(
                CandidateMain.class,
                List.of(),
                subject.name(),
                address,
                String.valueOf(sessionMillis),
                String.valueOf(leaseMillis),
                path);
    }

    void awaitConnected() throws InterruptedException, TimeoutException {
        await(CandidateMain.CONNECTED);
    }

    void join() {
        process.send(CandidateMain.JOIN);
    }

    /** Returns the time at which it began to join. */
    long awaitJoined() throws InterruptedException, TimeoutException {
        return await(CandidateMain.JOIN);
    }

    /** Returns the time at which leadership was granted. */
    long awaitGranted() throws InterruptedException, TimeoutException {
        return await(CandidateMain.GRANTED);
    }

    /** Leaves the election, and returns the time at which it began to. */
    long leave() throws InterruptedException, TimeoutException {
        process.send(CandidateMain.CLOSE);
        return await(CandidateMain.CLOSE);
    }

    private long await(String what) throws InterruptedException, TimeoutException {
        return Long.parseLong(process.await(what, AdminClient.TIMEOUT_NANOS));
    }

    /** SIGSTOP: the process keeps its connection, but does nothing any more. */
    void freeze() {
        process.freeze();
    }

    /** Kills the process. */
    @Override
    public void close() {
        process.close();
    }
}
