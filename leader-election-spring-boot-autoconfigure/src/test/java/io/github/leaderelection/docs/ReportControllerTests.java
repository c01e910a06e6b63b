package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.test.TestElection;
import io.github.leaderelection.test.TestElections;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@WebMvcTest(ReportController.class)
@TestElections("reports")
class ReportControllerTests {

    @Autowired
    private TestElection reports;

    @Autowired
    private MockMvcTester mvc;

    @Test
    void onlyTheLeaderSendsReports() {
        assertThat(mvc.post().uri("/reports")).hasStatus(503);
        reports.grant();
        assertThat(mvc.post().uri("/reports")).hasStatus(200);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(ReportController.class)
    static class Application {}
}

@RestController
class ReportController {

    @PostMapping("/reports")
    @LeaderOnly(value = "reports", otherwise = LeaderOnly.Otherwise.THROW)
    public String send() {
        return "sent";
    }
}
