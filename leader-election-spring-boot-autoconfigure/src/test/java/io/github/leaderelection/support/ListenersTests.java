package io.github.leaderelection.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.EventLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ListenersTests {

    private final Queue<Runnable> deliveries = new ArrayDeque<>();
    private final Listeners listeners = new Listeners("orders", deliveries::add);
    private final EventLog log = new EventLog();

    /** An event that writes down its name where the listener is a log. */
    private static Consumer<ElectionListener> event(String name) {
        return listener -> {
            if (listener instanceof EventLog log) {
                log.add(name);
            }
        };
    }

    private static Consumer<ElectionListener> failure(ElectionListener victim) {
        return listener -> {
            if (listener == victim) {
                Thread.currentThread().interrupt();
                throw new AssertionError("on purpose");
            }
            event("heard").accept(listener);
        };
    }

    /** Adds the log and tells it the state. */
    private void add(Consumer<ElectionListener> state) {
        add(state, () -> {});
    }

    private void add(Consumer<ElectionListener> state, Runnable onFailure) {
        assertThat(listeners.add(log)).isTrue();
        listeners.tell(log, state, onFailure);
    }

    private void deliver() {
        for (Runnable next = deliveries.poll(); next != null; next = deliveries.poll()) {
            next.run();
        }
    }

    @Test
    void eventsArriveInTheirOrderByOneTaskPerListener() {
        listeners.add(log);
        listeners.tell(event("one"));
        listeners.tell(event("two"));
        assertThat(log.events()).isEmpty();
        assertThat(deliveries).hasSize(1);
        deliver();
        listeners.tell(event("three"));
        deliver();
        assertThat(log.events()).containsExactly("one", "two", "three");
    }

    @Test
    void aListenerHearsTheStateAndThenWhatIsToldLater() {
        listeners.tell(event("before"));
        add(event("state"));
        listeners.tell(event("after"));
        deliver();
        assertThat(log.events()).containsExactly("state", "after");
    }

    @Test
    void aListenerThatIsAddedLaterDoesNotHearWhatWasToldBefore() {
        var first = new EventLog();
        listeners.add(first);
        listeners.tell(event("before"));
        listeners.add(log);
        deliver();
        assertThat(first.events()).containsExactly("before");
        assertThat(log.events()).isEmpty();
    }

    @Test
    void addingAListenerAgainChangesNothing() {
        add(event("state"));
        assertThat(listeners.add(log)).isFalse();
        listeners.tell(event("one"));
        deliver();
        assertThat(log.events()).containsExactly("state", "one");
    }

    @Test
    void aRemovedListenerDoesNotHearWhatIsStillToBeDelivered() {
        add(event("state"));
        listeners.tell(event("one"));
        listeners.remove(log);
        deliver();
        assertThat(log.events()).isEmpty();
    }

    @Test
    void aListenerThatReturnsHearsOnlyWhatBelongsToItsSecondStay() {
        add(event("state"));
        listeners.remove(log);
        add(event("state again"));
        deliver();
        assertThat(log.events()).containsExactly("state again");
    }

    @Test
    void aListenerMayRemoveItself() {
        ElectionListener shy = new ElectionListener() {};
        listeners.add(shy);
        listeners.add(log);
        listeners.tell(listener -> {
            listeners.remove(shy);
            event("one").accept(listener);
        });
        deliver();
        assertThat(log.events()).containsExactly("one");
    }

    @Test
    void aFailureIsReportedAndTheOthersHearTheEvent() {
        var failures = new AtomicInteger();
        listeners.add(new ElectionListener() {});
        listeners.add(log);
        listeners.tell(
                listener -> {
                    if (listener != log) {
                        throw new IllegalStateException("on purpose");
                    }
                    event("heard").accept(listener);
                },
                failures::incrementAndGet);
        deliver();
        assertThat(failures).hasValue(1);
        assertThat(log.events()).containsExactly("heard");
    }

    @Test
    void aListenerThatFailsOnTheStateIsReported() {
        var failures = new AtomicInteger();
        add(failure(log), failures::incrementAndGet);
        deliver();
        assertThat(failures).hasValue(1);
    }

    @Test
    void aListenerThatInterruptsItsThreadDoesNotDisturbTheNext() {
        ElectionListener rude = new ElectionListener() {};
        listeners.add(rude);
        listeners.add(log);
        listeners.tell(listener -> {
            event("interrupted: " + Thread.currentThread().isInterrupted()).accept(listener);
            Thread.currentThread().interrupt();
        });
        listeners.tell(listener ->
                event("later: " + Thread.currentThread().isInterrupted()).accept(listener));
        deliver();
        assertThat(log.events()).containsExactly("interrupted: false", "later: false");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void theInterruptOfACallerWhoDeliversHimselfIsKept() {
        add(event("state"));
        Thread.currentThread().interrupt();
        deliver();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aCallbackComesAfterWhatWasToldBeforeIt() {
        listeners.add(log);
        listeners.tell(event("one"));
        listeners.afterwards(() -> log.add("callback"));
        listeners.tell(event("two"));
        deliver();
        assertThat(log.events()).containsExactly("one", "callback", "two");
    }

    @Test
    void aCallbackComesAtOnceWhereNothingIsToBeDelivered() {
        listeners.tell(event("to nobody"));
        listeners.afterwards(() -> log.add("callback"));
        assertThat(log.events()).containsExactly("callback");
    }

    @Test
    void aCallbackOrAReportThatFailsDoesNotEndTheDelivery() {
        listeners.add(log);
        listeners.tell(failure(log), () -> {
            throw new IllegalStateException("on purpose");
        });
        listeners.afterwards(() -> {
            throw new IllegalStateException("on purpose");
        });
        listeners.tell(event("one"));
        deliver();
        listeners.tell(event("two"));
        deliver();
        assertThat(log.events()).containsExactly("one", "two");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void whatAListenerBringsAboutIsDeliveredAfterwards() {
        var second = new EventLog();
        listeners.add(log);
        listeners.add(second);
        listeners.tell(listener -> {
            event("one").accept(listener);
            if (listener == log) {
                listeners.tell(event("two"));
            }
        });
        deliver();
        assertThat(second.events()).containsExactly("one", "two");
    }

    @Test
    void onlyTheThreadThatDeliversIsSaidToDeliver() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            var threaded = new Listeners("orders", threads);
            var delivered = new CountDownLatch(1);
            threaded.add(log);
            threaded.tell(listener -> {
                event("delivers: " + threaded.delivers()).accept(listener);
                delivered.countDown();
            });
            assertThat(delivered.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(threaded.delivers()).isFalse();
            assertThat(threads.submit(threaded::delivers).get()).isFalse();
            assertThat(log.events()).containsExactly("delivers: true");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void eventsOfManyThreadsAreDeliveredOneAtATimeAndNoneIsLost() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            var threaded = new Listeners("orders", threads);
            var inside = new AtomicInteger();
            List<Integer> heard = new ArrayList<>();
            threaded.add(log);
            var start = new CyclicBarrier(4);
            List<Future<Integer>> tellers = IntStream.range(0, 4)
                    .mapToObj(teller -> threads.submit(() -> {
                        start.await();
                        for (int i = 0; i < 500; i++) {
                            threaded.tell(listener -> heard.add(inside.incrementAndGet() - inside.getAndDecrement()));
                        }
                        return teller;
                    }))
                    .toList();
            for (Future<Integer> teller : tellers) {
                teller.get();
            }
            var done = new CountDownLatch(1);
            threaded.afterwards(done::countDown);
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
            // A plain list: two deliveries at a time would lose entries.
            assertThat(heard).hasSize(2000).containsOnly(0);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @Tag("F89")
    void aBusyListenerDoesNotKeepOthersFromHearing() {
        var busy = new EventLog();
        listeners.add(busy);
        listeners.add(log);
        listeners.tell(event("granted"));
        // The task of the first listener has not run yet, which is as if it did not return.
        Runnable first = deliveries.remove();
        listeners.tell(event("revoked"));
        deliver();
        assertThat(log.events()).containsExactly("granted", "revoked");
        assertThat(busy.events()).isEmpty();
        first.run();
        assertThat(busy.events()).containsExactly("granted", "revoked");
    }

    @Test
    void aCallbackWaitsForAllListeners() {
        var slow = new EventLog();
        listeners.add(slow);
        listeners.add(log);
        listeners.tell(event("one"));
        listeners.afterwards(() -> log.add("callback"));
        Runnable first = deliveries.remove();
        deliver();
        assertThat(log.events()).containsExactly("one");
        first.run();
        assertThat(log.events()).containsExactly("one", "callback");
    }

    @Test
    @Tag("F89")
    void aListenerThatDoesNotReturnIsInterruptedAndNamed() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            var threaded = new Listeners("orders", threads);
            var entered = new CountDownLatch(1);
            ElectionListener busy = new Busy();
            threaded.add(busy);
            threaded.add(log);
            threaded.tell(listener -> {
                if (listener == busy) {
                    entered.countDown();
                    blockUntilInterrupted();
                }
            });
            threaded.tell(event("revoked"));
            var returned = new CountDownLatch(1);
            Runnable mark = threaded.afterwards(returned::countDown);
            log.awaitEvent("revoked");
            assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();

            assertThat(threaded.interruptBefore(mark)).containsExactly(Busy.class.getName());

            assertThat(returned.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(threaded.interruptBefore(mark)).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    private static final class Busy implements ElectionListener {}

    private static void blockUntilInterrupted() {
        while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aRemovedListenerThatIsStillBusyIsWaitedFor() {
        listeners.add(log);
        listeners.tell(event("one"));
        listeners.remove(log);
        listeners.afterwards(() -> log.add("callback"));
        assertThat(log.events()).isEmpty();
        deliver();
        assertThat(log.events()).containsExactly("callback");
    }

    @Test
    void aListenerThatIsAddedAgainWhileItIsBusyHearsOneEventAtATime() {
        add(event("state"));
        listeners.remove(log);
        assertThat(listeners.add(log)).isTrue();
        assertThat(listeners.add(log)).isFalse();
        listeners.tell(event("one"));
        assertThat(deliveries).hasSize(1);
        deliver();
        assertThat(log.events()).containsExactly("one");
    }
}
