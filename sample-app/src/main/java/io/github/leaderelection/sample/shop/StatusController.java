package io.github.leaderelection.sample.shop;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.Elections;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Returns the status of this instance, once or as a stream. */
@RestController
class StatusController {

    private final Elections elections;
    private final ElectionLog log;
    private final MeterRegistry meters;
    private final StatusStream stream;
    private final Instant started = Instant.now();

    StatusController(Elections elections, ElectionLog log, MeterRegistry meters, StatusStream stream) {
        this.elections = elections;
        this.log = log;
        this.meters = meters;
        this.stream = stream;
    }

    @GetMapping("/status")
    ShopStatus status() {
        return new ShopStatus(
                elections.all().stream()
                        .flatMap(election -> election.status().candidate().stream())
                        .map(Candidate::id)
                        .findFirst()
                        .orElse(null),
                ProcessHandle.current().pid(),
                started,
                Instant.now(),
                elections.all().stream().map(this::info).toList(),
                log.entries());
    }

    @GetMapping(path = "/status/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter stream() {
        return stream.open(this::status);
    }

    private ElectionInfo info(Election election) {
        ElectionStatus status = election.status();
        return new ElectionInfo(
                election.name(),
                status.role(),
                status.leadership().map(Leadership::term).orElse(null),
                status.leadership().map(Leadership::fencingToken).orElse(null),
                status.leadership().map(Leadership::since).orElse(null),
                leaseMillis(election.name()),
                calls(election.name(), "executed"),
                calls(election.name(), "skipped"),
                moves(election.name()),
                status.error().orElse(null));
    }

    private long leaseMillis(String election) {
        Gauge seconds = meters.find("election.lease.remaining")
                .tag("election", election)
                .gauge();
        return seconds == null ? 0 : Math.round(seconds.value() * 1_000);
    }

    private long calls(String election, String outcome) {
        return (long)
                meters.find("election.invocations").tags("election", election, "outcome", outcome).counters().stream()
                        .mapToDouble(Counter::count)
                        .sum();
    }

    private Map<String, Long> moves(String election) {
        Map<String, Long> moves = new TreeMap<>();
        meters.find("election.moves")
                .tag("election", election)
                .counters()
                .forEach(counter -> moves.put(counter.getId().getTag("cause"), (long) counter.count()));
        return moves;
    }
}
