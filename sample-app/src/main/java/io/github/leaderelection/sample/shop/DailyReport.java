package io.github.leaderelection.sample.shop;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Leadership;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Writes the daily report. In this sample a day lasts two seconds. */
@Component
class DailyReport {

    private volatile @Nullable String last;

    @Scheduled(fixedRate = 2_000)
    @LeaderOnly("reports")
    public void write() {
        Leadership term = Leadership.current().orElseThrow();
        String report =
                "Report of %s by %s".formatted(Instant.now(), term.candidate().id());
        // Writing a real report takes time. Do not publish it if leadership was lost in the meantime.
        term.requireValid();
        last = report;
    }

    Optional<String> last() {
        return Optional.ofNullable(last);
    }
}
