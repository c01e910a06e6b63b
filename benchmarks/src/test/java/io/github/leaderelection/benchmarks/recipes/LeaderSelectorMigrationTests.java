package io.github.leaderelection.benchmarks.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.WhileLeader.Then;
import io.github.leaderelection.autoconfigure.embedded.EmbeddedZooKeeper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListenerAdapter;
import org.apache.curator.retry.RetryForever;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the table for LeaderSelector says: the original and what replaces it run a job in the same way. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaderSelectorMigrationTests {

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    /** A job returns when it gets one. */
    private final Semaphore permits = new Semaphore(0);

    private final List<Instance> instances = new ArrayList<>();
    private EmbeddedZooKeeper server;

    @BeforeEach
    void start() {
        server = EmbeddedZooKeeper.start(0, null);
    }

    @AfterEach
    void stop() throws IOException {
        instances.forEach(Instance::close);
        server.close();
    }

    private Instance start(Library library, String name, Job job) {
        Instance instance = library.start(server.connectString(), name, job);
        instances.add(instance);
        return instance;
    }

    private void work(String instance) throws InterruptedException {
        events.add(instance + " begins");
        try {
            permits.acquire();
            events.add(instance + " returns");
        } catch (InterruptedException stopped) {
            events.add(instance + " is interrupted");
            throw stopped;
        }
    }

    private String next() throws InterruptedException {
        return events.poll(60, TimeUnit.SECONDS);
    }

    private static void awaitCandidates(Instance instance, int count) {
        await().atMost(Duration.ofSeconds(60)).until(() -> instance.candidates() == count);
    }

    @ParameterizedTest
    @EnumSource
    void aJobThatReturnsPassesTheLeadershipOn(Library library) throws Exception {
        Instance first = start(library, "a", this::work);
        assertThat(next()).isEqualTo("a begins");
        start(library, "b", this::work);
        for (String line : List.of("a returns", "b begins", "b returns", "a begins")) {
            if (line.endsWith("returns")) {
                // The instance that led before is back in the queue only some time after the next one has begun.
                awaitCandidates(first, 2);
                permits.release();
            }
            assertThat(next()).isEqualTo(line);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aJobThatThrowsIsCalledAgain(Library library) throws Exception {
        start(library, "a", instance -> {
            events.add(instance + " begins");
            throw new IllegalStateException("provoked by a test");
        });
        assertThat(next()).isEqualTo("a begins");
        assertThat(next()).isEqualTo("a begins");
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedJobEndsAndTheNextInstanceTakesOver(Library library) throws Exception {
        Instance first = start(library, "a", this::work);
        assertThat(next()).isEqualTo("a begins");
        start(library, "b", this::work);
        awaitCandidates(first, 2);
        first.interrupt();
        assertThat(next()).isEqualTo("a is interrupted");
        assertThat(next()).isEqualTo("b begins");
    }

    /** What an application does while it leads. */
    interface Job {
        void run(String instance) throws Exception;
    }

    interface Instance extends AutoCloseable {

        int candidates() throws Exception;

        void interrupt();

        @Override
        void close();
    }

    enum Library {
        CURATOR {
            @Override
            Instance start(String server, String name, Job job) {
                return new SelectorInstance(server, name, job);
            }
        },
        THIS {
            @Override
            Instance start(String server, String name, Job job) {
                return new WhileLeaderInstance(server, name, job);
            }
        };

        abstract Instance start(String server, String name, Job job);
    }

    private static final class SelectorInstance implements Instance {

        private final CuratorFramework client;
        private final LeaderSelector selector;

        SelectorInstance(String server, String name, Job job) {
            client = CuratorFrameworkFactory.newClient(server, 6_000, 6_000, new RetryForever(100));
            client.start();
            selector = new LeaderSelector(client, "/jobs", new LeaderSelectorListenerAdapter() {
                @Override
                public void takeLeadership(CuratorFramework curator) throws Exception {
                    job.run(name);
                }
            });
            selector.autoRequeue();
            selector.start();
        }

        @Override
        public int candidates() throws Exception {
            return selector.getParticipants().size();
        }

        @Override
        public void interrupt() {
            selector.interruptLeadership();
        }

        @Override
        public void close() {
            selector.close();
            client.close();
        }
    }

    private static final class WhileLeaderInstance implements Instance {

        private final ConfigurableApplicationContext context;

        WhileLeaderInstance(String server, String name, Job job) {
            context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .initializers(application -> {
                        application.getBeanFactory().registerSingleton("job", job);
                        application.getBeanFactory().registerSingleton("instance", name);
                    })
                    .run(
                            "--spring.main.banner-mode=off",
                            "--leader-election.candidate.id=" + name,
                            "--leader-election.zookeeper.connect-string=" + server,
                            "--leader-election.elections.jobs=");
        }

        private Election election() {
            return context.getBean(Election.class);
        }

        @Override
        public int candidates() {
            return election().candidates().size();
        }

        @Override
        public void interrupt() {
            election().stepDown();
        }

        @Override
        public void close() {
            context.close();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Work work(Job job, String instance) {
            return new Work(job, instance);
        }
    }

    record Work(Job job, String instance) {

        @WhileLeader(value = "jobs", then = Then.STEP_DOWN)
        void run() throws Exception {
            job.run(instance);
        }
    }
}
