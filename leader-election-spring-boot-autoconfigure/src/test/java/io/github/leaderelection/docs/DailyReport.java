package io.github.leaderelection.docs;

import io.github.leaderelection.LeaderOnly;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
class DailyReport {

    private final Mailer mailer;

    DailyReport(Mailer mailer) {
        this.mailer = mailer;
    }

    @Scheduled(cron = "0 0 6 * * *")
    @LeaderOnly("reports")
    void send() {
        mailer.send("The orders of yesterday");
    }
}
