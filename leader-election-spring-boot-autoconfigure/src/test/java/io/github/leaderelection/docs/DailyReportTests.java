package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.scheduling.annotation.EnableScheduling;

@SpringBootTest(
        classes = {DailyReport.class, Mailer.class},
        properties = {"leader-election.mode=local", "leader-election.elections.reports="})
@ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
@EnableScheduling
class DailyReportTests {

    @Autowired
    private DailyReport report;

    @Autowired
    private Mailer mailer;

    @Test
    void aLocalElectionIsWonAtOnce() {
        await().untilAsserted(() -> {
            report.send();
            assertThat(mailer.sent()).isNotEmpty();
        });
    }
}
