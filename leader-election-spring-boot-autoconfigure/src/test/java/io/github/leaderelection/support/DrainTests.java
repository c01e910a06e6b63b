package io.github.leaderelection.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.LeaderOnly.WhenRevoked;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.test.TestElection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DrainTests {

    private final Queue<Runnable> deliveries = new ArrayDeque<>();
    private final List<Runnable> timeouts = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final Delivery delivery = new Delivery(
            () -> "test", deliveries::add, Runnable::run, Duration.ofSeconds(10), (delay, task) -> timeouts.add(task));
    private final TestElection election = new TestElection("orders");
    private final ElectionPublisher publisher = new ElectionPublisher(election, delivery);
    private final Listeners listeners = new Listeners("orders", delivery.listeners());
    private final LeaderWork work = new LeaderWork();

    DrainTests() {
        publisher.add(new ElectionMonitor() {
            @Override
            public void overran() {
                events.add("overran");
            }
        });
    }

    private Drain drain(@Nullable LeaderWork work) {
        var drain = new Drain(publisher, 1, work);
        drain.begin(listeners, delivery);
        drain.heard().thenRun(() -> events.add("heard"));
        drain.drained().thenRun(() -> events.add("drained"));
        return drain;
    }

    private LeaderWork.Permit admit() {
        Leadership term = election.grant();
        LeaderWork.Permit permit = Objects.requireNonNull(work.admit(term, WhenRevoked.DRAIN, () -> "import"));
        election.withdraw();
        return permit;
    }

    private void tell() {
        listeners.add(new ElectionListener() {});
        listeners.tell(listener -> {});
    }

    @Test
    void whereNothingIsRunningItIsDoneAtOnce() {
        drain(null);
        drain(work);
        assertThat(events).containsExactly("heard", "drained", "heard", "drained");
        assertThat(timeouts).isEmpty();
    }

    @Test
    void itWaitsForTheListenersAndForTheWork() {
        LeaderWork.Permit permit = admit();
        tell();
        drain(work);
        deliveries.forEach(Runnable::run);
        assertThat(events).containsExactly("heard");
        permit.close();
        assertThat(events).containsExactly("heard", "drained");
    }

    @Test
    void theTimeoutEndsTheWaitAndInterruptsTheWork() {
        LeaderWork.Permit permit = admit();
        var interrupted = new AtomicBoolean();
        permit.whenOverdue(() -> interrupted.set(true));
        drain(work);
        timeouts.forEach(Runnable::run);
        assertThat(interrupted).isTrue();
        assertThat(events).containsExactly("heard", "overran", "drained");
        permit.close();
        assertThat(events).hasSize(3);
    }

    @Test
    @Tag("F89")
    void theTimeoutEndsTheWaitForAListenerWhichStaysBusyUntilItReturns() {
        tell();
        Drain drain = drain(null);
        assertThat(drain.busy()).isNull();
        timeouts.forEach(Runnable::run);
        assertThat(events).containsExactly("overran", "drained");
        assertThat(drain.busy()).contains(DrainTests.class.getName());
        deliveries.forEach(Runnable::run);
        assertThat(events).containsExactly("overran", "drained", "heard");
        assertThat(drain.busy()).isNull();
    }

    @Test
    void aTimeoutAfterTheEndHasNoEffect() {
        LeaderWork.Permit permit = admit();
        drain(work);
        permit.close();
        timeouts.forEach(Runnable::run);
        assertThat(events).containsExactly("heard", "drained");
    }
}
