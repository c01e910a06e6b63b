package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.demo.Replica.State;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClientException;

/** Who stands in the queues, read from ZooKeeper by one of the replicas now and then. */
@Component
class Queues implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Queues.class);
    private static final long PERIOD_MILLIS = 500;

    private final Replicas replicas;
    private final Actuator actuator;
    private final Map<String, List<String>> queues = new ConcurrentHashMap<>();
    private final ScheduledExecutorService reader =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "queues"));

    Queues(Replicas replicas, Actuator actuator) {
        this.replicas = replicas;
        this.actuator = actuator;
        reader.scheduleWithFixedDelay(this::read, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The ids of the candidates, the leader first; empty if it is not known. */
    List<String> of(String election) {
        return queues.getOrDefault(election, List.of());
    }

    private void read() {
        try {
            replicas.all().stream()
                    .filter(replica -> replica.state() == State.UP)
                    .findFirst()
                    .ifPresentOrElse(this::read, queues::clear);
        } catch (RuntimeException failure) {
            // Thrown from here, it would end the schedule without a word.
            log.warn("The queues cannot be read", failure);
            queues.clear();
        }
    }

    private void read(Replica replica) {
        replica.url().ifPresent(url -> replica.elections().forEach(election -> read(url, election)));
    }

    private void read(URI url, String election) {
        try {
            queues.put(election, actuator.queue(url, election));
        } catch (RestClientException unreadable) {
            log.debug("The queue of {} cannot be read: {}", election, unreadable.toString());
            queues.remove(election);
        }
    }

    @Override
    public void close() {
        reader.shutdownNow();
    }
}
