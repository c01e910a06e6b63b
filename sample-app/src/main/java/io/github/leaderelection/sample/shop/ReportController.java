package io.github.leaderelection.sample.shop;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Returns the last report, or the instance to ask for it. */
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
                ? dailyReport.last().orElse("No report yet")
                : reports.leader().map(Candidate::id).map("Ask "::concat).orElse("No report: there is no leader");
    }
}
