package io.github.leaderelection.sample.shop;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Leadership;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Writes a report every day; the days are short here. */
@Component
class DailyReport {

    private volatile @Nullable String last;

    @Scheduled(fixedRate = 2_000)
    @LeaderOnly("reports")
    public void write() {
        Leadership term = Leadership.current().orElseThrow();
        String report =
                "Report of %s by %s".formatted(Instant.now(), term.candidate().id());
        // Writing takes its time. If leadership was lost meanwhile, nobody gets to see this report.
        term.requireValid();
        last = report;
    }

    Optional<String> last() {
        return Optional.ofNullable(last);
    }
}
