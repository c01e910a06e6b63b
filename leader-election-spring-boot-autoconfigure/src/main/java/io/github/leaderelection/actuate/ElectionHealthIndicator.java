package io.github.leaderelection.actuate;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.Elections;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.support.ManagedElection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up as leader, follower or observer alike; down while there has been no connection for longer than the lease, or an
 * election has failed or was deleted. Asks nobody. No reason to restart an instance, so it does not belong to liveness.
 */
public final class ElectionHealthIndicator extends AbstractHealthIndicator {

    private final Elections elections;
    private final Supplier<ConnectionStatus> connection;

    public ElectionHealthIndicator(Elections elections, Supplier<ConnectionStatus> connection) {
        super("The state of the elections cannot be told");
        this.elections = elections;
        this.connection = connection;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        List<String> reasons = new ArrayList<>();
        ConnectionStatus now = connection.get();
        if (now.isLost()) {
            reasons.add("No connection to ZooKeeper for %s; the lease is %s".formatted(now.down(), now.lease()));
        }
        for (Election election : elections.all()) {
            ElectionStatus status = election.status();
            builder.withDetail(status.name() + ".role", status.role().name());
            status.error().ifPresent(error -> reasons.add("Election '%s': %s".formatted(status.name(), error)));
            if (election instanceof ManagedElection managed && managed.gauges().ended()) {
                reasons.add("Election '%s' was deleted".formatted(status.name()));
            }
        }
        if (!reasons.isEmpty()) {
            builder.down().withDetail("reason", String.join("; ", reasons));
        }
    }
}
