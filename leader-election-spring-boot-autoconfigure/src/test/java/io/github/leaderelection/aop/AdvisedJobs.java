package io.github.leaderelection.aop;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.LeaderOnly.Otherwise;
import io.github.leaderelection.Leadership;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Leader-only methods with other advice. They record their calls in {@link Log}. */
class AdvisedJobs {

    /** Not in the bean itself, because its proxy does not have its fields. */
    static final class Log {

        final List<String> events = new CopyOnWriteArrayList<>();
        final List<Long> terms = new CopyOnWriteArrayList<>();
        final AtomicInteger attempts = new AtomicInteger();
        final AtomicInteger triggered = new AtomicInteger();
        final AtomicInteger scheduled = new AtomicInteger();
        volatile Runnable afterAttempt = () -> {};
    }

    private final Log log;
    private final JdbcTemplate jdbc;

    AdvisedJobs(Log log, JdbcTemplate jdbc) {
        this.log = log;
        this.jdbc = jdbc;
    }

    @LeaderOnly("orders")
    @Transactional
    public void transactional() {
        log.events.add("%s, %s"
                .formatted(
                        TransactionSynchronizationManager.isActualTransactionActive()
                                ? "in a transaction"
                                : "without a transaction",
                        Leadership.current().isPresent() ? "in a term" : "without a term"));
    }

    @LeaderOnly("orders")
    @Transactional
    public void inserts() {
        jdbc.update("insert into lines values (1)");
    }

    @Async
    @LeaderOnly("orders")
    public CompletableFuture<String> asynchronous() {
        return CompletableFuture.completedFuture(Thread.currentThread().getName());
    }

    @Async
    @LeaderOnly(value = "orders", otherwise = Otherwise.THROW)
    public CompletableFuture<String> asynchronousThrowing() {
        return CompletableFuture.completedFuture("done");
    }

    @Retryable(maxRetries = 2, delay = 1)
    @LeaderOnly("orders")
    public String retried() {
        return attempt(3);
    }

    @Async
    @Retryable(maxRetries = 2, delay = 1)
    @LeaderOnly("orders")
    @Transactional
    public CompletableFuture<String> all() {
        attempt(2);
        return CompletableFuture.completedFuture(Thread.currentThread().getName());
    }

    private String attempt(int successful) {
        Leadership.current().ifPresent(term -> log.terms.add(term.term()));
        int attempt = log.attempts.incrementAndGet();
        if (attempt < successful) {
            log.afterAttempt.run();
            throw new IllegalStateException("not yet");
        }
        return "at attempt " + attempt;
    }

    @Scheduled(fixedDelay = 1)
    public void trigger() {
        log.triggered.incrementAndGet();
    }

    @Scheduled(fixedDelay = 1)
    @LeaderOnly("orders")
    void scheduled() {
        log.scheduled.incrementAndGet();
    }

    @EventListener
    @LeaderOnly("orders")
    public void on(AdviceOrderTests.Order order) {
        log.events.add(order.name());
    }
}
