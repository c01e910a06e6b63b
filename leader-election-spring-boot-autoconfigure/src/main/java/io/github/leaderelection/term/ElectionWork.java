package io.github.leaderelection.term;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that runs for the terms of one election: started in the order of the phases, and stopped in the reverse order before
 * the hand-over. Because {@link #revoked} returns only when everything has ended, the hand-over waits for it, and so does
 * the next term of this instance.
 */
final class ElectionWork implements ElectionListener {

    private static final Logger log = LoggerFactory.getLogger(ElectionWork.class);

    private final Election election;
    private final Executor executor;
    private final NavigableMap<Integer, List<MonitoredWork>> phases = new TreeMap<>();
    private volatile boolean closed;

    private record MonitoredWork(TermWork work, TermWorkMonitor.WorkMonitor monitor) {}

    /** @param executor has a thread for each task */
    ElectionWork(Election election, Executor executor) {
        this.election = election;
        this.executor = executor;
    }

    Election election() {
        return election;
    }

    /** To be called before the listener is added. */
    void add(TermWork work, TermWorkMonitor monitor) {
        phases.computeIfAbsent(work.phase(), phase -> new ArrayList<>())
                .add(new MonitoredWork(work, monitor.register(election, work.name(), work::isRunning)));
    }

    @Override
    public void granted(Leadership term) {
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

    /** Returns when everything has ended. If interrupted meanwhile, interrupts what still runs. */
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
     * Starts nothing any more, and stops what runs, because its beans are about to be destroyed. Returns at once; the result
     * completes when everything has ended.
     */
    CompletableFuture<Void> close() {
        closed = true;
        return CompletableFuture.runAsync(() -> stop(false), executor).thenRun(() -> election.removeListener(this));
    }

    /** The log contains it if the work fails. */
    @Override
    public String toString() {
        return "@WhileLeader(\"%s\") %s".formatted(election.name(), names(inOrder(phases)));
    }
}
