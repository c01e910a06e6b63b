package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WakeUpsTests {

    private final Map<Long, Runnable> timers = new TreeMap<>();
    private final List<String> run = new ArrayList<>();
    private final WakeUps wakeUps =
            new WakeUps((nanos, task) -> assertThat(timers.put(nanos, task)).isNull());

    private void wakeAt(long nanos, String name) {
        wakeUps.at(nanos, () -> run.add(name));
    }

    @Test
    void tasksThatAreDueAtTheSameTimeShareATimer() {
        wakeAt(10, "a");
        wakeAt(20, "b");
        wakeAt(10, "c");

        assertThat(timers).containsOnlyKeys(10L, 20L);
        timers.remove(10L).run();
        assertThat(run).containsExactly("a", "c");
        timers.remove(20L).run();
        assertThat(run).containsExactly("a", "c", "b");
    }

    @Test
    void aTaskThatIsSetForATimeThatIsOverGetsATimerOfItsOwn() {
        wakeUps.at(10, () -> wakeAt(10, "again"));
        timers.remove(10L).run();

        timers.remove(10L).run();
        assertThat(run).containsExactly("again");
    }
}
