package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import io.github.leaderelection.autoconfigure.ValidatedProperties;
import io.github.leaderelection.autoconfigure.condition.Mode;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Resolves how long the application waits for its elections when it shuts down. */
final class ShutdownTimeout {

    private static final Logger log = LoggerFactory.getLogger(ShutdownTimeout.class);

    private static final String PHASE_TIMEOUT = "spring.lifecycle.timeout-per-shutdown-phase";
    private static final Duration DEFAULT_PHASE_TIMEOUT = Duration.ofSeconds(30);

    private ShutdownTimeout() {}

    /** Logs a warning if Spring stops waiting earlier, and could close the connection before the hand-over is complete. */
    static Duration resolve(
            LeaderElectionProperties properties, ValidatedProperties validated, Environment environment) {
        Duration drainTimeout = validated.longestDrainTimeout();
        Duration connectionTimeout = properties.zookeeper().connectionTimeout();
        Duration phaseTimeout =
                Binder.get(environment).bind(PHASE_TIMEOUT, Duration.class).orElse(DEFAULT_PHASE_TIMEOUT);
        Duration timeout = drainTimeout.plus(connectionTimeout);
        if (properties.mode() == Mode.ZOOKEEPER && timeout.compareTo(phaseTimeout) > 0) {
            log.warn(
                    "Leaving the elections may take longer than a shutdown waits: the sum of"
                            + " leader-election.drain-timeout ({}) and leader-election.zookeeper.connection-timeout ({})"
                            + " exceeds {} ({})",
                    drainTimeout,
                    connectionTimeout,
                    PHASE_TIMEOUT,
                    phaseTimeout);
        }
        return timeout;
    }
}
