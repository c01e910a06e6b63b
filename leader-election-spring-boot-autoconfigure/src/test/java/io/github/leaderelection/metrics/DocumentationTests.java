package io.github.leaderelection.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.event.ElectionEvent;
import io.github.leaderelection.event.OnElectionEndedEvent;
import io.github.leaderelection.event.OnElectionFailedEvent;
import io.github.leaderelection.event.OnGrantedEvent;
import io.github.leaderelection.event.OnLeaderChangedEvent;
import io.github.leaderelection.event.OnRevokedEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The README documents all meters, tags and events. */
class DocumentationTests {

    private static String readme;

    @BeforeAll
    static void read() throws IOException {
        readme = Files.readString(Path.of("..", "README.md"));
    }

    @Test
    void everyMeterHasARow() {
        assertThat(readme.lines().filter(line -> line.startsWith("| `election.")))
                .map(line -> line.split("`")[1])
                .containsExactly(Arrays.stream(MeterDefinition.values())
                        .map(MeterDefinition::meterName)
                        .toArray(String[]::new));
        assertThat(readme).contains("`" + MeteredInvocationMonitor.OBSERVATION_NAME + "`");
    }

    @Test
    void everyTagValueIsDocumented() {
        assertThat(Stream.of(InvocationOutcome.values(), RevocationReason.values())
                        .flatMap(Arrays::stream))
                .allSatisfy(value -> assertThat(readme).contains("`" + ElectionMeterRecorder.tagValue(value) + "`"));
    }

    @Test
    void everyEventHasARow() {
        Stream<Class<? extends ElectionEvent>> events = Stream.of(
                OnGrantedEvent.class,
                OnRevokedEvent.class,
                OnLeaderChangedEvent.class,
                OnElectionEndedEvent.class,
                OnElectionFailedEvent.class);
        assertThat(events).allSatisfy(event -> assertThat(readme).contains("| `" + event.getSimpleName() + "` |"));
    }
}
