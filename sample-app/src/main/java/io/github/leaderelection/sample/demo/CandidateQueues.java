package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.demo.Replica.State;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClientException;

/** The candidate queues of all elections, refreshed periodically through one of the replicas. */
@Component
class CandidateQueues implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CandidateQueues.class);
    private static final long PERIOD_MILLIS = 500;

    private final Replicas replicas;
    private final ElectionEndpointClient endpoint;
    private final Map<String, CandidateQueue> queues = new ConcurrentHashMap<>();
    private final ScheduledExecutorService scheduler =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "candidate-queues"));

    CandidateQueues(Replicas replicas, ElectionEndpointClient endpoint) {
        this.replicas = replicas;
        this.endpoint = endpoint;
        scheduler.scheduleWithFixedDelay(this::refresh, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Returns the queue of an election; it is empty if it is not known. */
    CandidateQueue get(String election) {
        return queues.getOrDefault(election, CandidateQueue.EMPTY);
    }

    private void refresh() {
        try {
            replicas.all().stream()
                    .filter(replica -> replica.state() == State.UP)
                    .findFirst()
                    .ifPresentOrElse(this::refresh, queues::clear);
        } catch (RuntimeException failure) {
            // An exception that escapes from here silently cancels the periodic task.
            log.warn("Could not read the candidate queues", failure);
            queues.clear();
        }
    }

    private void refresh(Replica replica) {
        replica.url().ifPresent(url -> replica.elections().forEach(election -> refresh(url, election)));
    }

    private void refresh(URI url, String election) {
        try {
            queues.put(election, endpoint.queue(url, election));
        } catch (RestClientException failure) {
            log.debug("Could not read the candidates of {}: {}", election, failure.toString());
            queues.remove(election);
        }
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}
