package io.github.leaderelection.sample.shop;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the last report, or who has it. */
@RestController
class ReportController {

    private final Election reports;
    private final DailyReport dailyReport;

    ReportController(@Qualifier("reports") Election reports, DailyReport dailyReport) {
        this.reports = reports;
        this.dailyReport = dailyReport;
    }

    @GetMapping("/report")
    String report() {
        return reports.isLeader()
                ? dailyReport.last().orElse("Not written yet")
                : "Ask " + reports.leader().map(Candidate::id).orElse("later: nobody leads");
    }
}
