package io.github.leaderelection.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DelayedTasksTests {

    @Test
    void itRunsOnADaemonOfItsOwn() throws Exception {
        var thread = new CompletableFuture<Thread>();
        DelayedTasks.run(Duration.ofMillis(1), () -> thread.complete(Thread.currentThread()));
        assertThat(thread.get(30, TimeUnit.SECONDS))
                .matches(Thread::isDaemon)
                .satisfies(own -> assertThat(own.getName()).isEqualTo("election-later"));
    }

    @Test
    void aTimeThatIsLongerThanAClockCanTellIsNotOver() {
        List<String> due = new CopyOnWriteArrayList<>();
        DelayedTasks.run(Duration.ofSeconds(Long.MAX_VALUE), () -> {}, task -> {
            due.add("never");
            return new Thread(task);
        });
        DelayedTasks.run(Duration.ZERO, () -> {}, task -> {
            due.add("now");
            return new Thread(task);
        });
        // What is due is begun in order.
        await().until(() -> due.contains("now"));
        assertThat(due).containsExactly("now");
    }

    /** At the limit of a container. */
    @Test
    void whereNoThreadCanBeStartedItIsTriedAgainAndRunsOnce() {
        var asked = new AtomicInteger();
        var ran = new AtomicInteger();
        DelayedTasks.run(Duration.ZERO, ran::incrementAndGet, task -> {
            if (asked.incrementAndGet() <= 2) {
                throw new OutOfMemoryError("unable to create native thread: provoked by a test");
            }
            return new Thread(task, "granted-at-last");
        });
        await().untilAtomic(ran, count -> assertThat(count).isEqualTo(1));
        assertThat(asked).hasValue(3);
    }
}
