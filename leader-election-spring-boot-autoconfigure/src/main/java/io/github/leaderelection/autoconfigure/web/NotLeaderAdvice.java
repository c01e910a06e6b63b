package io.github.leaderelection.autoconfigure.web;

import io.github.leaderelection.NotLeaderException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Tells clients to retry if a controller needs leadership and this instance does not lead. Handlers of the application come
 * first, because they are ordered before this one or registered earlier.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
final class NotLeaderAdvice {

    private static final String RETRY_AFTER_SECONDS = "1";

    private final KnownLeaders leaders;

    NotLeaderAdvice(KnownLeaders leaders) {
        this.leaders = leaders;
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
            leaders.leader(election).ifPresent(leader -> problem.setProperty("leader", leader.id()));
        });
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
                .body(problem);
    }
}
