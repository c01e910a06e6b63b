package io.github.leaderelection.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A short soak test of about a minute. {@code -Dsoak.minutes=…} or {@code -Dsoak.seconds=…} makes it longer,
 * {@code -Dsoak.seed=…} chooses other faults, {@code -Dsoak.slack=…} allows more or less seconds without a leader. The report
 * is in {@code target/soak}.
 */
class SoakIT {

    private static final long SEED = Long.getLong("soak.seed", 20261116);
    private static final Duration LENGTH = Long.getLong("soak.minutes") == null
            ? Duration.ofSeconds(Long.getLong("soak.seconds", 25))
            : Duration.ofMinutes(Long.getLong("soak.minutes"));
    /** Other tests may run at the same time; two seconds are enough for measurements. */
    private static final Duration SLACK = Duration.ofSeconds(Long.getLong("soak.slack", 10));

    @Test
    void thereIsNeverMoreThanOneLeaderAndNeverNoneForLong() throws Exception {
        var settings = new SoakSettings(SEED, LENGTH, SLACK, false, Path.of("target", "soak", "seed-" + SEED));

        CheckResult result = SoakReport.write(settings, Soak.run(settings));

        assertThat(result.violations()).as("see %s", settings.directory()).isEmpty();
    }

    @Test
    void theNaiveElectionIsCaught() throws Exception {
        var settings =
                new SoakSettings(SEED, Duration.ofSeconds(15), SLACK, true, Path.of("target", "soak", "naive-" + SEED));

        CheckResult result = SoakReport.write(settings, Soak.run(settings));

        assertThat(result.violations())
                .extracting(Violation::kind)
                .as("see %s", settings.directory())
                .contains(Violation.Kind.TWO_LEADERS);
    }
}
