package io.github.leaderelection.term;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.support.NamedListener;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that runs for the terms of one election: started in the order of the phases, and stopped in the reverse
 * order before the hand-over. Because {@link #revoked} returns only when everything has ended, the hand-over waits for
 * it, and so does the next term of this instance.
 */
final class ElectionWork implements NamedListener {

    private static final Logger log = LoggerFactory.getLogger(ElectionWork.class);

    private final Election election;
    private final Executor executor;
    private final NavigableMap<Integer, List<MonitoredWork>> phases = new TreeMap<>();
    private final ElectionListener lossListener = new LossListener();
    private volatile @Nullable Leadership current;
    private volatile boolean closed;

    private record MonitoredWork(TermWork work, TermWorkMonitor.WorkMonitor monitor) {}

    /**
     * Receives a loss even while {@link #granted} starts something, which may take long. Work that was started earlier
     * must not continue until that has returned.
     */
    private final class LossListener implements ElectionListener {
        @Override
        public void revoked(Leadership term, RevocationReason reason) {
            if (reason.isLoss() && term.equals(current)) {
                var unused = request(inOrder(phases.descendingMap()));
            }
        }
    }

    /** @param executor runs each task on a thread of its own */
    ElectionWork(Election election, Executor executor) {
        this.election = election;
        this.executor = executor;
    }

    Election election() {
        return election;
    }

    /** To be called before {@link #open()}. */
    void add(TermWork work, TermWorkMonitor monitor) {
        phases.computeIfAbsent(work.phase(), phase -> new ArrayList<>())
                .add(new MonitoredWork(work, monitor.register(election, work.name(), work::isRunning)));
    }

    /** Follows the terms of the election from now on. */
    void open() {
        inOrder(phases).forEach(each -> each.work().requireNotStarted());
        election.addListener(this);
        election.addListener(lossListener);
    }

    @Override
    public void granted(Leadership term) {
        current = term;
        for (MonitoredWork each : inOrder(phases)) {
            if (closed || !term.isValid()) {
                return;
            }
            try {
                each.work().start(term);
            } catch (Throwable failure) {
                stop(false);
                throw new IllegalStateException("%s could not be started".formatted(each.work()), failure);
            }
        }
    }

    @Override
    public void revoked(Leadership term, RevocationReason reason) {
        stop(reason.isLoss());
    }

    /** Returns when everything has ended. If interrupted in the meantime, interrupts the work that is still running. */
    private void stop(boolean atOnce) {
        boolean overdue = false;
        if (atOnce) {
            request(inOrder(phases.descendingMap()));
        }
        for (List<MonitoredWork> phase : phases.descendingMap().values()) {
            CompletableFuture<Void> end = request(phase);
            while (!isDone(end)) {
                if (!overdue) {
                    reportOverrun();
                    request(inOrder(phases.descendingMap()));
                }
                overdue = true;
                running().forEach(each -> each.work().interrupt());
            }
        }
        if (overdue) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end; returns false if this thread is interrupted first. */
    private static boolean isDone(CompletableFuture<Void> end) {
        try {
            end.get();
            return true;
        } catch (InterruptedException drainTimeout) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static CompletableFuture<Void> request(Collection<MonitoredWork> works) {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (MonitoredWork each : works) {
            CompletableFuture<Void> end = each.work().stop();
            if (!each.work().runsHere()) {
                ends.add(end);
            }
        }
        return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new));
    }

    private static List<MonitoredWork> inOrder(NavigableMap<Integer, List<MonitoredWork>> phases) {
        return phases.values().stream().flatMap(List::stream).toList();
    }

    private void reportOverrun() {
        List<MonitoredWork> running = running();
        log.warn(
                "{} did not end within the drain timeout of election '{}'. It is interrupted, and this instance does not"
                        + " lead again before it has ended",
                names(running),
                election.name());
        running.forEach(each -> each.monitor().overran());
    }

    private List<MonitoredWork> running() {
        return inOrder(phases).stream().filter(each -> each.work().isRunning()).toList();
    }

    private static String names(List<MonitoredWork> works) {
        return works.stream().map(each -> each.work().name()).sorted().toList().toString();
    }

    /**
     * Starts no further work and stops the running work, because its beans are about to be destroyed. Returns at once;
     * the result completes when everything has ended.
     */
    CompletableFuture<Void> close() {
        closed = true;
        return CompletableFuture.runAsync(() -> stop(false), executor).thenRun(() -> {
            election.removeListener(this);
            election.removeListener(lossListener);
        });
    }

    @Override
    public String name() {
        return describe(running());
    }

    /** Appears in the log if the work fails. */
    @Override
    public String toString() {
        return describe(inOrder(phases));
    }

    private String describe(List<MonitoredWork> works) {
        return "@WhileLeader(\"%s\") %s".formatted(election.name(), names(works));
    }
}
