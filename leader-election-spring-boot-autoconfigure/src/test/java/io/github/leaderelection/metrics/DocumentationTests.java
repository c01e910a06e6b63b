package io.github.leaderelection.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.RevocationReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The meters that operators find in the documentation are those that exist. */
class DocumentationTests {

    private static String page;

    @BeforeAll
    static void read() throws IOException {
        page = Files.readString(Path.of("..", "docs", "operations.md"));
    }

    @Test
    void everyMeterHasARow() {
        assertThat(page.lines().filter(line -> line.startsWith("| `election.")))
                .map(line -> line.split("`")[1])
                .containsExactly(Arrays.stream(MeterDefinition.values())
                        .map(MeterDefinition::meterName)
                        .toArray(String[]::new));
        assertThat(page).contains("`" + MeteredInvocationMonitor.OBSERVATION_NAME + "`");
    }

    @Test
    void everyTagValueIsDocumented() {
        assertThat(Stream.of(InvocationOutcome.values(), RevocationReason.values())
                        .flatMap(Arrays::stream))
                .allSatisfy(value -> assertThat(page).contains("`" + ElectionMeterRecorder.tagValue(value) + "`"));
    }
}
