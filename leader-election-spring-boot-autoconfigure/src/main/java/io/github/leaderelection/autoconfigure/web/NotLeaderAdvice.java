package io.github.leaderelection.autoconfigure.web;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Elections;
import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.support.ManagedElection;
import java.util.Objects;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Asks clients to retry if a controller needs leadership and this instance does not lead. Exception handlers of the
 * application take precedence, because they are ordered before this handler or registered earlier.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
final class NotLeaderAdvice {

    private static final String RETRY_AFTER_SECONDS = "1";

    private final Elections elections;
    private final ObservedLeaders observed;

    NotLeaderAdvice(Elections elections, ObservedLeaders observed) {
        this.elections = elections;
        this.observed = observed;
    }

    /** The message of the exception is not part of the response, because it names classes of the application. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> handle(NotLeaderException rejection) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.SERVICE_UNAVAILABLE,
                rejection
                        .election()
                        .map("This instance does not lead election '%s'."::formatted)
                        .orElse("This instance does not lead."));
        rejection.election().ifPresent(election -> {
            problem.setProperty("election", election);
            leader(election).ifPresent(leader -> problem.setProperty("leader", leader));
        });
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
                .body(problem);
    }

    /** Returns the id of the leader, if it is known without asking ZooKeeper: this instance observes or follows it. */
    private Optional<String> leader(String election) {
        return observed.leader(election)
                .map(Candidate::id)
                .or(() -> elections.all().stream()
                        .filter(known -> election.equals(known.name()))
                        .map(known -> ManagedElection.of(known).gauges().leader())
                        .filter(Objects::nonNull)
                        .findFirst());
    }
}
