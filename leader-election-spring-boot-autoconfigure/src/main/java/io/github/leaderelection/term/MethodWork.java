package io.github.leaderelection.term;

import io.github.leaderelection.LeaderOnly.WhenRevoked;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.WhileLeader.Then;
import io.github.leaderelection.aop.InvocationMonitor;
import io.github.leaderelection.support.ManagedElection;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** A method that is called once per term, on a thread of its own. */
final class MethodWork extends TermWork {

    private static final Logger log = LoggerFactory.getLogger(MethodWork.class);

    /** Calls the method of the application. */
    interface Call {
        void invoke(Leadership term) throws Throwable;
    }

    private final Call method;
    private final Then then;
    private final ManagedElection election;
    private final InvocationMonitor.MethodMonitor monitor;
    private final Executor executor;
    private volatile @Nullable Run current;

    MethodWork(
            String name,
            Call method,
            Then then,
            ManagedElection election,
            InvocationMonitor.MethodMonitor monitor,
            Executor executor) {
        super(name, SmartLifecycle.DEFAULT_PHASE);
        this.method = method;
        this.then = then;
        this.election = election;
        this.monitor = monitor;
        this.executor = executor;
    }

    @Override
    void doStart(Leadership term, Runnable ended) {
        Run run = new Run(term, ended);
        current = run;
        try {
            executor.execute(run);
        } catch (Throwable noThread) {
            ended.run();
            throw noThread;
        }
    }

    @Override
    void doStop(Runnable ended) {
        interrupt();
    }

    @Override
    void interrupt() {
        Run run = current;
        if (run != null) {
            run.interrupt();
        }
    }

    @Override
    boolean runsHere() {
        Run run = current;
        return run != null && run.runsHere();
    }

    /** The call of one term. */
    private final class Run implements Runnable {

        private final Leadership term;
        private final Runnable ended;
        private @Nullable Thread thread;
        private LeaderWork.@Nullable Permit permit;
        private boolean interrupted;

        Run(Leadership term, Runnable ended) {
            this.term = term;
            this.ended = ended;
        }

        @Override
        public void run() {
            Throwable failure = null;
            boolean called = false;
            // A stop interrupts the method anyway. A second interrupt would disturb its orderly end.
            try (LeaderWork.Permit admitted = election.admit(WhenRevoked.FINISH, MethodWork.this::name)) {
                called = admitted != null && admitted.term().term() == term.term() && enter(admitted);
                if (called && admitted != null) {
                    admitted.call(this::call);
                }
            } catch (Throwable thrown) {
                failure = thrown;
            } finally {
                leave();
                // Before the term is given up, because the hand-over waits for the end of the work.
                ended.run();
            }
            if (failure != null) {
                failed(failure);
            } else if (called) {
                returned();
            }
        }

        private @Nullable Object call() throws Throwable {
            InvocationMonitor.Invocation monitored = monitor.started();
            Throwable failure = null;
            try {
                method.invoke(term);
            } catch (Throwable thrown) {
                failure = thrown;
                throw thrown;
            } finally {
                monitored.returned();
                monitored.completed(failure == null || wasStopped(failure) ? null : failure);
            }
            return null;
        }

        private synchronized boolean enter(LeaderWork.Permit admitted) {
            thread = Thread.currentThread();
            permit = admitted;
            return !interrupted;
        }

        private synchronized void leave() {
            thread = null;
            permit = null;
        }

        synchronized void interrupt() {
            interrupted = true;
            if (permit != null) {
                permit.interrupt();
            }
        }

        synchronized boolean runsHere() {
            return thread == Thread.currentThread();
        }

        /** Whether the method has thrown an exception because its term is over. */
        private boolean wasStopped(Throwable failure) {
            return !term.isValid() && isEndOfTerm(failure);
        }

        private void failed(Throwable failure) {
            if (wasStopped(failure)) {
                log.debug("{} has ended because its term is over", name(), failure);
            } else if (!term.isValid()) {
                log.warn("{} failed after its term was over", name(), failure);
            } else {
                log.warn("{} failed. Election '{}' is given up", name(), election.name(), failure);
                election.refuse(term);
            }
        }

        private void returned() {
            if (then == Then.STEP_DOWN && term.isValid()) {
                try {
                    election.stepDown();
                } catch (RuntimeException over) {
                    log.debug("{} has returned, and its term is over", name(), over);
                }
            }
        }
    }

    /** Whether it was thrown because of the interrupt, or by {@link Leadership#requireValid()}. */
    private static boolean isEndOfTerm(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterruptedException
                    || cause instanceof InterruptedIOException
                    || cause instanceof ClosedByInterruptException
                    || cause instanceof NotLeaderException) {
                return true;
            }
        }
        return false;
    }
}
