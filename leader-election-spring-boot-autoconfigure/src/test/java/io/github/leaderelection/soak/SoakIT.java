package io.github.leaderelection.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The soak, a minute with all that belongs to it; {@code -Dsoak.minutes=…} (or seconds) prolongs it, {@code -Dsoak.seed=…} chooses
 * other faults. The report is in {@code target/soak}.
 */
class SoakIT {

    private static final long SEED = Long.getLong("soak.seed", 20261116);
    private static final Duration LENGTH = Long.getLong("soak.minutes") == null
            ? Duration.ofSeconds(Long.getLong("soak.seconds", 25))
            : Duration.ofMinutes(Long.getLong("soak.minutes"));
    /** Other tests may run at the same time; who measures gives two seconds. */
    private static final Duration SLACK = Duration.ofSeconds(Long.getLong("soak.slack", 10));

    @Test
    void nobodyLeadsBesideAnotherAndNobodyIsMissing() throws Exception {
        var settings = new SoakSettings(SEED, LENGTH, SLACK, false, Path.of("target", "soak", "seed-" + SEED));

        Findings findings = SoakReport.write(settings, Soak.run(settings));

        assertThat(findings.violations()).as("see %s", settings.directory()).isEmpty();
    }

    @Test
    void theNaiveElectionIsCaught() throws Exception {
        var settings =
                new SoakSettings(SEED, Duration.ofSeconds(15), SLACK, true, Path.of("target", "soak", "naive-" + SEED));

        Findings findings = SoakReport.write(settings, Soak.run(settings));

        assertThat(findings.violations())
                .extracting(Violation::kind)
                .as("see %s", settings.directory())
                .contains(Violation.Kind.TWO_LEADERS);
    }
}
