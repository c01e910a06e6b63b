package io.github.leaderelection.autoconfigure.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.zookeeper.fixture.ReportFile;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a consumer that is {@code @WhileLeader} does while the leadership moves, on each broker: by step-down, close, a cut
 * connection, the end of the session and a killed process. The leadership moves while its leader consumes, and the client has
 * fetched further messages. {@link Journal} says what is demanded; the figures are in
 * {@code target/test-measurements/consumers.txt}.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ConsumerContract {

    private static final int MESSAGES = 500;
    /** How many of them are sent for each move; the rest is sent after the last one. */
    private static final int BATCH = 70;

    private final TestServer server = new TestServer();
    private final Journal journal = new Journal();
    private final List<Instance> instances = new ArrayList<>();
    private int started;
    private int sent;

    /** The configuration of an application whose consumer gives its messages to the {@link MessageHandler}. */
    abstract Class<?> application();

    /** Where the application finds the broker. */
    abstract String[] properties();

    abstract void send(int number);

    abstract void startBroker() throws Exception;

    abstract void stopBroker() throws Exception;

    @BeforeEach
    final void start() throws Exception {
        startBroker();
    }

    @AfterEach
    final void stop() throws Exception {
        instances.forEach(Instance::close);
        server.close();
        stopBroker();
    }

    @Test
    void losesNoMessageWhileTwoInstancesTakeTurns() {
        startContext();
        startProcess();
        move(ContextInstance.class, leader -> leader.election().stepDown());
        move(ProcessInstance.class, ProcessInstance::crash);
        startContext();
        move(ContextInstance.class, Instance::cut);
        instances.forEach(Instance::reconnect);
        move(ContextInstance.class, Instance::close);
        verify();
    }

    @Test
    void losesNoMessageWhileThreeInstancesTakeTurns() {
        startContext();
        startProcess();
        startContext();
        move(ContextInstance.class, leader -> leader.election().stepDown());
        move(ProcessInstance.class, ProcessInstance::crash);
        startContext();
        move(ContextInstance.class, leader -> leader.election().stepDown());
        move(ContextInstance.class, Instance::cut);
        instances.forEach(Instance::reconnect);
        move(ContextInstance.class, ContextInstance::expire);
        move(ContextInstance.class, Instance::close);
        verify();
    }

    private ContextInstance startContext() {
        var instance = new ContextInstance(nextName(), server, journal, application(), properties());
        instances.add(instance);
        return instance;
    }

    private ProcessInstance startProcess() {
        var instance = new ProcessInstance(nextName(), server, journal, application(), properties());
        instances.add(instance);
        return instance;
    }

    private String nextName() {
        return "instance-" + ++started;
    }

    /** An instance that was cut off may not be able to answer yet. */
    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(90))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .ignoreExceptionsInstanceOf(ElectionConnectionException.class);
    }

    /** Takes the leadership from an instance of that kind while it consumes, and waits until another one has it. */
    private <I extends Instance> void move(Class<I> kind, Consumer<I> action) {
        eventually().until(this::areAllCandidates);
        I leader = awaitLeader(kind);
        int before = journal.handledBy(leader.name());
        int next = sent + BATCH;
        CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> send(next - BATCH, next));
        eventually().until(() -> journal.handledBy(leader.name()) > before);
        action.accept(leader);
        eventually().until(() -> alive(Instance.class).anyMatch(other -> other != leader && other.leads()));
        sending.join();
        sent = next;
    }

    /** If an instance of another kind leads, asks it to hand over. */
    private <I extends Instance> I awaitLeader(Class<I> kind) {
        return eventually()
                .until(
                        () -> {
                            Optional<I> leader =
                                    alive(kind).filter(Instance::leads).findFirst();
                            if (leader.isEmpty()) {
                                String target =
                                        alive(kind).findFirst().orElseThrow().name();
                                alive(ContextInstance.class)
                                        .findFirst()
                                        .orElseThrow()
                                        .election()
                                        .handOver(target);
                            }
                            return leader;
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    private <I extends Instance> Stream<I> alive(Class<I> kind) {
        return instances.stream()
                .filter(Instance::isAlive)
                .filter(kind::isInstance)
                .map(kind::cast);
    }

    private boolean areAllCandidates() {
        List<String> names = alive(Instance.class).map(Instance::name).toList();
        return alive(ContextInstance.class)
                .allMatch(instance -> instance.election().candidates().stream()
                        .map(Candidate::id)
                        .toList()
                        .containsAll(names));
    }

    private void send(int from, int to) {
        IntStream.range(from, to).forEach(this::send);
    }

    private void verify() {
        send(sent, MESSAGES);
        eventually().untilAsserted(() -> assertThat(journal.handled()).hasSize(MESSAGES));
        ReportFile.of("consumers.txt").line(getClass().getSimpleName() + ": " + journal.summary());
        assertThat(journal.violations()).isEmpty();
    }
}
