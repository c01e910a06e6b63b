package io.github.leaderelection.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChangeLockTests {

    private final ChangeLock lock = new ChangeLock();
    private final List<String> events = new CopyOnWriteArrayList<>();

    @Test
    void tasksRunInOrderAfterTheWholeChange() {
        lock.change(() -> {
            lock.execute(() -> events.add("first task"));
            lock.change(() -> lock.execute(() -> events.add("second task")));
            events.add("change");
        });
        assertThat(events).containsExactly("change", "first task", "second task");
    }

    @Test
    void aTaskWithoutAChangeRunsAtOnce() {
        lock.execute(() -> events.add("task"));
        assertThat(events).containsExactly("task");
    }

    @Test
    void aChangeReturnsItsResult() {
        assertThat(lock.change(() -> "result")).isEqualTo("result");
    }

    @Test
    void aTaskRunsWithoutTheLock() {
        lock.execute(() -> {
            var other = CompletableFuture.runAsync(() -> lock.change(() -> events.add("change of another thread")));
            assertThat(other).succeedsWithin(20, TimeUnit.SECONDS);
        });
        assertThat(events).containsExactly("change of another thread");
    }

    @Test
    void aChangeThatFailsReleasesTheLock() {
        assertThatIllegalStateException()
                .isThrownBy(() -> lock.change(() -> {
                    throw new IllegalStateException("on purpose");
                }));
        var other = CompletableFuture.runAsync(() -> lock.change(() -> events.add("next change")));
        assertThat(other).succeedsWithin(20, TimeUnit.SECONDS);
    }
}
