package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.fixture.RecordedLog;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LoopTests {

    @RegisterExtension
    final RecordedLog log = new RecordedLog();

    private final Loop loop = new Loop();
    private final List<String> ran = new ArrayList<>();

    @Test
    void aTaskThatIsAddedByAnotherOneRunsAfterIt() {
        loop.execute(() -> {
            loop.execute(() -> ran.add("second"));
            ran.add("first");
        });

        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void anErrorInOneTaskDoesNotStopTheNext() {
        loop.execute(() -> {
            throw new StackOverflowError("provoked by a test");
        });
        loop.execute(() -> ran.add("next"));

        assertThat(ran).containsExactly("next");
    }
}
