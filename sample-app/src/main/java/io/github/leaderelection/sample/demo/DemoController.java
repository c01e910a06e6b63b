package io.github.leaderelection.sample.demo;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClientException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * HTTP API of the page. {@code POST} requests must be JSON: browsers do not send that from other sites without a preflight
 * request, which this application rejects.
 */
@RestController
class DemoController {

    private final DemoSnapshotFactory snapshots;
    private final SnapshotStream stream;
    private final Actions actions;

    DemoController(DemoSnapshotFactory snapshots, SnapshotStream stream, Actions actions) {
        this.snapshots = snapshots;
        this.stream = stream;
        this.actions = actions;
    }

    @GetMapping("/demo")
    DemoSnapshot snapshot() {
        return snapshots.create();
    }

    @GetMapping(path = "/demo/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter stream() {
        return stream.open();
    }

    @PostMapping(path = "/demo/replicas/{replica}/{action}", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void perform(@PathVariable String replica, @PathVariable String action) {
        actions.perform(replica, action);
    }

    @PostMapping(
            path = "/demo/replicas/{replica}/elections/{election}/step-down",
            consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void stepDown(@PathVariable String replica, @PathVariable String election) {
        actions.stepDown(replica, election);
    }

    @PostMapping(path = "/demo/elections/{election}/hand-over/{replica}", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void handOver(@PathVariable String election, @PathVariable String replica) {
        actions.handOver(election, replica);
    }

    @PostMapping(path = "/demo/zookeeper/restart", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    void restartZooKeeper() {
        actions.restartZooKeeper();
    }

    @ExceptionHandler({IllegalArgumentException.class, IllegalStateException.class, RestClientException.class})
    ProblemDetail handleFailure(RuntimeException failure) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, String.valueOf(failure.getMessage()));
    }
}
