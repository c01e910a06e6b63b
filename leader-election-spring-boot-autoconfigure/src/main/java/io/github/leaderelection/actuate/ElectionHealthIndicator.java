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
 * Reports UP for leaders, followers and observers alike, and DOWN if the connection has been lost for longer than the lease,
 * or an election has failed or was deleted. Does not access ZooKeeper. Does not belong to liveness, because a restart would
 * not help.
 */
public final class ElectionHealthIndicator extends AbstractHealthIndicator {

    private final Elections elections;
    private final Supplier<ConnectionStatus> connection;

    public ElectionHealthIndicator(Elections elections, Supplier<ConnectionStatus> connection) {
        super("Election health check failed");
        this.elections = elections;
        this.connection = connection;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        List<String> reasons = new ArrayList<>();
        ConnectionStatus status = connection.get();
        if (status.isLost()) {
            reasons.add("No connection to ZooKeeper for %s; the lease is %s".formatted(status.down(), status.lease()));
        }
        elections.all().forEach(election -> check(election, builder, reasons));
        if (!reasons.isEmpty()) {
            builder.down().withDetail("reason", String.join("; ", reasons));
        }
    }

    private static void check(Election election, Health.Builder builder, List<String> reasons) {
        ElectionStatus status = election.status();
        builder.withDetail(status.name() + ".role", status.role().name());
        status.error().ifPresent(error -> reasons.add("Election '%s': %s".formatted(status.name(), error)));
        if (ManagedElection.of(election).gauges().ended()) {
            reasons.add("Election '%s' was deleted".formatted(status.name()));
        }
    }
}
