package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leaderelection.zookeeper.fixture.HostileText;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ElectionOptionsTests {

    @RegisterExtension
    final HostileText hostile = new HostileText();

    @Test
    void anyIdAndMetadataCanBeWrittenAndRead() {
        hostile.repeat(round -> {
            String id = hostile.text();
            ElectionOptions options = ElectionOptions.defaults()
                    .candidate(
                            id.substring(0, Math.min(80, id.length())),
                            Map.of(hostile.text(), hostile.text(), "key", hostile.text()));
            var config = options.electionConfig("orders", "/elections/orders");
            var data = new CandidateData(config.id(), config.application(), config.metadata(), "/elections/.beats/b");
            assertThat(CandidateData.parse(data.toJson())).isEqualTo(data);
        });
    }

    @Test
    void valuesThatCannotWorkAreRefused() {
        ElectionOptions options = ElectionOptions.defaults();
        assertThatThrownBy(() -> options.preemptAfter(Duration.ZERO)).hasMessageContaining("preemptAfter");
        assertThatThrownBy(() -> options.spread(Duration.ZERO, 4)).hasMessageContaining("settle");
        assertThatThrownBy(() -> options.spread(Duration.ofSeconds(1), 0)).hasMessageContaining("concurrency");
    }

    @Test
    void durationsThatAreTooShortOrTooLongAreRefusedByTheirName() {
        ElectionOptions options = ElectionOptions.defaults();
        Map<String, Function<Duration, ElectionOptions>> durations = Map.of(
                "lease", options::lease,
                "grace", options::grace,
                "drainTimeout", options::drainTimeout,
                "recheckInterval", options::recheckInterval,
                "connectionTimeout", options::connectionTimeout,
                "preemptAfter", options::preemptAfter,
                "settle", settle -> options.spread(settle, 1));

        assertThat(durations).allSatisfy((name, set) -> {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> set.apply(Duration.ofMillis(-1)))
                    .withMessageContainingAll(name, "PT-0.001S");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> set.apply(ChronoUnit.FOREVER.getDuration()))
                    .withMessageContainingAll(name, "36500 days");
        });
    }

    @Test
    void anInvalidRootIsRefusedByItsName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElectionOptions.defaults().root("shop"))
                .withMessageContainingAll("root", "'shop'");
    }

    @Test
    @DisplayName("A grace that is too long for a configured lease is refused before there is a connection")
    void aGraceTooLongForTheLeaseIsRefused() {
        ElectionOptions options =
                ElectionOptions.defaults().lease(Duration.ofSeconds(6)).grace(Duration.ofSeconds(4));

        assertThatIllegalArgumentException()
                .isThrownBy(options::engineConfig)
                .withMessageContainingAll("grace", "PT4S", "lease", "PT6S");
    }

    @Test
    void lineBreaksInAnIdAreEscapedAndInvalidUnicodeIsReplaced() {
        ElectionOptions options =
                ElectionOptions.defaults().candidate("a\ud800\nb", Map.of("\udfff", "ok\ud83d\ude00"));

        var config = options.electionConfig("orders", "/elections/orders");
        assertThat(config.id()).isEqualTo("a\\ud800\\u000ab");
        assertThat(config.metadata()).containsExactly(Map.entry("?", "ok\ud83d\ude00"));
    }

    @Test
    void anIdOrMetadataTooLongForZooKeeperIsRefused() {
        Map<String, String> metadata = Map.of("novel", "x".repeat(70_000));

        assertThatThrownBy(() -> ElectionOptions.defaults().candidate("a", metadata))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65536");
        assertThatThrownBy(() -> ElectionOptions.defaults().candidate("ä".repeat(501), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("500")
                .hasMessageContaining("501");
    }
}
