package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import io.github.leaderelection.autoconfigure.condition.Mode;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** How long elections may take to be left when the application stops. */
final class ShutdownTimeout {

    private static final Logger log = LoggerFactory.getLogger(ShutdownTimeout.class);
    private static final String OF_PHASE = "spring.lifecycle.timeout-per-shutdown-phase";
    private static final Duration OF_PHASE_UNLESS_SET = Duration.ofSeconds(30);

    private ShutdownTimeout() {}

    /** Says so where Spring would not wait as long: the connection would be closed before all is handed over. */
    static Duration of(LeaderElectionProperties properties, Environment environment) {
        Duration drain = properties.drainTimeout();
        Duration connection = properties.zookeeper().connectionTimeout();
        Duration ofPhase =
                Binder.get(environment).bind(OF_PHASE, Duration.class).orElse(OF_PHASE_UNLESS_SET);
        Duration needed = drain.plus(connection);
        if (properties.mode() == Mode.ZOOKEEPER && needed.compareTo(ofPhase) > 0) {
            log.warn(
                    "Elections may take longer to be left than a shutdown waits for them: leader-election.drain-timeout"
                            + " ({}) and leader-election.zookeeper.connection-timeout ({}) together are longer than {} ({})",
                    drain,
                    connection,
                    OF_PHASE,
                    ofPhase);
        }
        return needed;
    }
}
