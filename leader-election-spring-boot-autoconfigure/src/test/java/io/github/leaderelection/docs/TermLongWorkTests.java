package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.EventLog;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.test.TestElection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/** The recipes for loops, consumers and schedulers that run for a term. */
class TermLongWorkTests {

    private static ApplicationContextRunner application(String election, Class<?> recipe) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class))
                .withPropertyValues("leader-election.mode=local")
                .withBean("testElection", TestElection.class, () -> new TestElection(election))
                .withUserConfiguration(recipe);
    }

    private static TestElection election(ApplicationContext context) {
        return context.getBean(TestElection.class);
    }

    @Test
    void theLoopPublishesAsLongAsTheTermLasts() {
        List<String> board = new CopyOnWriteArrayList<>();
        BlockingQueue<String> prices = new LinkedBlockingQueue<>();
        application("prices", PriceFeed.class)
                .withBean("prices", BlockingQueue.class, () -> prices)
                .withBean(PriceFeed.PriceBoard.class, () -> (price, token) -> board.add(price))
                .run(context -> {
                    election(context).grant();
                    prices.add("1.10");
                    await().until(() -> board.equals(List.of("1.10")));
                    election(context).revoke(RevocationReason.CONNECTION_LOST);
                    prices.add("1.20");
                    assertThat(board).containsExactly("1.10");
                    assertThat(prices).containsExactly("1.20");
                });
    }

    @Test
    void theMigrationPassesTheLeadershipOn() {
        application("migration", Migration.class).run(context -> {
            EventLog log = EventLog.of(election(context));
            election(context).grant();
            log.awaitEvent("revoked 1 STEPPED_DOWN");
            assertThat(context.getBean(Migration.class).migrated).containsExactly("customers", "orders");
        });
    }

    @Test
    void theContainerReceivesMessagesWhileItLeads() throws Exception {
        String address = "vm://91";
        BlockingQueue<Message> received = new LinkedBlockingQueue<>();
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ()
                .setConfiguration(new ConfigurationImpl()
                        .setPersistenceEnabled(false)
                        .setSecurityEnabled(false)
                        .addAcceptorConfiguration("in-vm", address));
        broker.start();
        try (var connections = new ActiveMQConnectionFactory(address)) {
            application("orders", OrderListenerConfiguration.class)
                    .withBean(ConnectionFactory.class, () -> connections)
                    .withBean(MessageListener.class, () -> received::add)
                    .run(context -> {
                        var container = context.getBean(DefaultMessageListenerContainer.class);
                        new JmsTemplate(connections).convertAndSend("orders", "1");
                        assertThat(container.isRunning()).isFalse();
                        election(context).grant();
                        assertThat(received.poll(20, TimeUnit.SECONDS)).isNotNull();
                        election(context).stepDown();
                        assertThat(container.isRunning()).isFalse();
                    });
        } finally {
            broker.stop();
        }
    }

    @Test
    void theSchedulerRunsJobsWhileItLeadsAndIsDrained() {
        application("reports", ReportScheduler.class)
                .withBean(Scheduler.class, TermLongWorkTests::quartz)
                .run(context -> {
                    Scheduler scheduler = context.getBean(Scheduler.class);
                    Report.reset();
                    scheduler.scheduleJob(
                            JobBuilder.newJob(Report.class).build(),
                            TriggerBuilder.newTrigger().startNow().build());
                    assertThat(Report.started.getCount()).isOne();
                    election(context).grant();
                    assertThat(Report.started.await(20, TimeUnit.SECONDS)).isTrue();
                    var handedOver = new CountDownLatch(1);
                    inBackground(election(context), election -> {
                        election.stepDown();
                        handedOver.countDown();
                    });
                    await().until(scheduler::isInStandbyMode);
                    assertThat(handedOver.getCount()).isOne();
                    Report.mayEnd.countDown();
                    assertThat(handedOver.await(20, TimeUnit.SECONDS)).isTrue();
                });
    }

    private static void inBackground(TestElection election, Consumer<TestElection> action) {
        new Thread(() -> action.accept(election)).start();
    }

    private static Scheduler quartz() {
        try {
            var settings = new Properties();
            settings.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
            settings.setProperty("org.quartz.threadPool.threadCount", "1");
            return new StdSchedulerFactory(settings).getScheduler();
        } catch (SchedulerException failure) {
            throw new IllegalStateException(failure);
        }
    }

    public static class Report implements Job {

        static volatile CountDownLatch started;
        static volatile CountDownLatch mayEnd;

        static void reset() {
            started = new CountDownLatch(1);
            mayEnd = new CountDownLatch(1);
        }

        @Override
        public void execute(JobExecutionContext execution) {
            started.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
