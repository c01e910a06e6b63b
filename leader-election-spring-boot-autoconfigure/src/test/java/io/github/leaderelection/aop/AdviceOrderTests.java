package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyApplication.orders;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.test.TestElection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Other advice of leader-only methods: asynchronous execution and retries outside of the guard, transactions inside.
 */
class AdviceOrderTests {

    private final ApplicationContextRunner application = LeaderOnlyApplication.application(
                    Everything.class, AdvisedJobs.class)
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionManagerCustomizationAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true");

    @Test
    void skippedCallOpensNoTransaction() {
        application.run(context -> {
            AdvisedJobs.Log log = context.getBean(AdvisedJobs.Log.class);
            AdvisedJobs jobs = context.getBean(AdvisedJobs.class);
            Begun begun = context.getBean(Begun.class);
            jobs.transactional();
            assertThat(begun.count()).isZero();
            orders(context).grant();
            jobs.transactional();
            assertThat(begun.count()).isOne();
            assertThat(log.events).containsExactly("in a transaction, in a term");
        });
    }

    @Test
    void handOverWaitsForCommit() {
        application.run(context -> {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            jdbc.execute("create table lines (id int)");
            TestElection orders = orders(context);
            orders.grant();
            Begun begun = context.getBean(Begun.class);
            begun.beforeCommit = () -> {
                CompletableFuture<Boolean> left = orders.withdraw(RevocationReason.WITHDRAWN);
                assertThat(orders.isLeader()).isFalse();
                assertThat(left).isNotDone();
                begun.left = left;
            };
            context.getBean(AdvisedJobs.class).inserts();
            // Not at once, because a scheduled call may be running too.
            assertThat(begun.left).succeedsWithin(Duration.ofSeconds(20));
            assertThat(jdbc.queryForObject("select count(*) from lines", Integer.class))
                    .isOne();
        });
    }

    @Test
    void skippedAsynchronousCallReturnsCompletedFuture() {
        application.run(context -> {
            AdvisedJobs jobs = context.getBean(AdvisedJobs.class);
            assertThat(jobs.asynchronous())
                    .succeedsWithin(Duration.ofSeconds(10))
                    .isNull();
            orders(context).grant();
            assertThat(jobs.asynchronous())
                    .succeedsWithin(Duration.ofSeconds(10))
                    .isNotNull()
                    .isNotEqualTo(Thread.currentThread().getName());
            assertThat(jobs.asynchronousThrowing()).succeedsWithin(Duration.ofSeconds(10));
            orders(context).revoke(RevocationReason.CONNECTION_LOST);
            assertThat(jobs.asynchronousThrowing())
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withCauseInstanceOf(NotLeaderException.class);
        });
    }

    @Test
    void leadershipIsCheckedOnEachAttempt() {
        application.run(context -> {
            AdvisedJobs.Log log = context.getBean(AdvisedJobs.Log.class);
            AdvisedJobs jobs = context.getBean(AdvisedJobs.class);
            orders(context).grant();
            assertThat(jobs.retried()).isEqualTo("at attempt 3");
            assertThat(log.terms).hasSize(3).allMatch(term -> term == 1);

            log.attempts.set(0);
            log.afterAttempt = () -> {
                orders(context).revoke(RevocationReason.CONNECTION_LOST);
                orders(context).grant();
            };
            log.terms.clear();
            assertThat(jobs.retried()).isEqualTo("at attempt 3");
            assertThat(log.terms).containsExactly(1L, 2L, 3L);

            log.attempts.set(0);
            log.afterAttempt = () -> orders(context).revoke(RevocationReason.CONNECTION_LOST);
            assertThat(jobs.retried()).isNull();
            assertThat(log.attempts).hasValue(1);
        });
    }

    @Test
    void combinesAllAdvice() {
        application.run(context -> {
            AdvisedJobs.Log log = context.getBean(AdvisedJobs.Log.class);
            AdvisedJobs jobs = context.getBean(AdvisedJobs.class);
            Begun begun = context.getBean(Begun.class);
            assertThat(jobs.all()).succeedsWithin(Duration.ofSeconds(10)).isNull();
            assertThat(begun.count()).isZero();
            orders(context).grant();
            assertThat(jobs.all())
                    .succeedsWithin(Duration.ofSeconds(10))
                    .isNotNull()
                    .isNotEqualTo(Thread.currentThread().getName());
            assertThat(begun.count()).isEqualTo(2);
            assertThat(log.attempts).hasValue(2);
        });
    }

    @Test
    void scheduledMethodsRunOnlyOnLeader() {
        application.run(context -> {
            AdvisedJobs.Log log = context.getBean(AdvisedJobs.Log.class);
            await().until(() -> log.triggered.get() > 3);
            assertThat(log.scheduled).hasValue(0);
            orders(context).grant();
            await().until(() -> log.scheduled.get() > 3);
            orders(context).withdraw();
            int before = log.scheduled.get();
            int triggers = log.triggered.get();
            await().until(() -> log.triggered.get() > triggers + 3);
            assertThat(log.scheduled).hasValue(before);
        });
    }

    @Test
    void eventListenersRunOnlyOnLeader() {
        application.run(context -> {
            AdvisedJobs.Log log = context.getBean(AdvisedJobs.Log.class);
            context.publishEvent(new Order("first"));
            assertThat(log.events).isEmpty();
            orders(context).grant();
            context.publishEvent(new Order("second"));
            assertThat(log.events).containsExactly("second");
        });
    }

    record Order(String name) {}

    static class Begun implements TransactionExecutionListener {

        private final AtomicInteger begun = new AtomicInteger();
        private Runnable beforeCommit = () -> {};
        private CompletableFuture<Boolean> left;

        int count() {
            return begun.get();
        }

        @Override
        public void afterBegin(TransactionExecution transaction, Throwable failure) {
            begun.incrementAndGet();
        }

        @Override
        public void beforeCommit(TransactionExecution transaction) {
            beforeCommit.run();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @EnableScheduling
    @EnableResilientMethods
    static class Everything {

        @Bean
        AdvisedJobs.Log log() {
            return new AdvisedJobs.Log();
        }

        @Bean
        Begun begun() {
            return new Begun();
        }
    }
}
