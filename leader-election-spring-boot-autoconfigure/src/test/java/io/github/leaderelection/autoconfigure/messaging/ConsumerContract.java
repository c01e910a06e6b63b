package io.github.leaderelection.autoconfigure.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a consumer that is {@code @WhileLeader} does while the leadership moves, on each broker. */
abstract class ConsumerContract {

    private static final int MESSAGES = 500;
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final TestServer server = new TestServer();
    private final Journal journal = new Journal();
    private final List<Instance> instances = new ArrayList<>();
    private int started;

    /** The configuration of an application with the consumer, whose messages go to the {@link Journal}. */
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
    void losesNoMessageWhileTwoInstancesHandOver() {
        start(2);
        CompletableFuture<Void> sent = sendAll();
        move(Instance::close);
        start(1);
        move(leader -> leader.election().stepDown());
        move(leader -> leader.election().stepDown());
        move(Instance::close);
        verify(sent);
    }

    @Test
    void losesNoMessageWhileThreeInstancesLoseLeadership() {
        start(3);
        CompletableFuture<Void> sent = sendAll();
        move(leader -> leader.election().stepDown());
        move(Instance::expire);
        Instance cutOff = leader();
        move(Instance::cut);
        cutOff.reconnect();
        move(Instance::close);
        verify(sent);
    }

    private void start(int count) {
        for (int i = 0; i < count; i++) {
            instances.add(new Instance("instance-" + ++started, server, journal, application(), properties()));
        }
    }

    /** Sends at a rate that lasts as long as the leadership moves. */
    private CompletableFuture<Void> sendAll() {
        return CompletableFuture.runAsync(() -> IntStream.range(0, MESSAGES).forEach(number -> {
            LockSupport.parkNanos(Duration.ofMillis(15).toNanos());
            send(number);
        }));
    }

    private Instance leader() {
        return await().atMost(BOUND)
                .until(() -> instances.stream().filter(Instance::leads).findFirst(), found -> found.isPresent())
                .orElseThrow();
    }

    /** Takes the leadership from an instance that works, and waits until another one does. */
    private void move(Consumer<Instance> action) {
        Instance leader = leader();
        await().atMost(BOUND).until(() -> journal.handledBy(leader.name()) > 0);
        action.accept(leader);
        await().atMost(BOUND).until(() -> instances.stream().anyMatch(other -> other != leader && other.leads()));
    }

    private void verify(CompletableFuture<Void> sent) {
        sent.join();
        await().atMost(BOUND).untilAsserted(() -> assertThat(journal.handled()).hasSize(MESSAGES));
        assertThat(journal.violations()).isEmpty();
    }
}
