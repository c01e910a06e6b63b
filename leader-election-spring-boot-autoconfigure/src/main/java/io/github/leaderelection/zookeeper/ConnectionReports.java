package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.support.ElectionRegistry;
import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.engine.ConnectionListener;
import io.github.leaderelection.zookeeper.engine.LogRateLimiter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the connection's state to the log, to waiting callers and to the elections. Confined to the loop. */
final class ConnectionReports implements ConnectionListener {

    private static final Logger log = LoggerFactory.getLogger(ZooKeeperElections.class);

    private final ConnectionGate gate;
    private final ElectionRegistry<ZooKeeperElection> elections;
    private final LogRateLimiter refusals;
    private final LogRateLimiter lateHeartbeats;

    ConnectionReports(ConnectionGate gate, ElectionRegistry<ZooKeeperElection> elections, Clock clock) {
        this.gate = gate;
        this.elections = elections;
        this.refusals = new LogRateLimiter(clock);
        this.lateHeartbeats = new LogRateLimiter(clock);
    }

    @Override
    public void ready() {
        refusals.forget();
        gate.ready();
    }

    /** Rate-limited, because each attempt may fail for the same reason, every second. */
    @Override
    public void refused(ElectionException cause) {
        gate.refused(cause);
        String message = String.valueOf(cause.getMessage());
        if (refusals.isDue(message)) {
            log.warn("{}", message);
            for (ZooKeeperElection election : elections.all()) {
                election.connectionFailed(cause);
            }
        }
    }

    @Override
    public void connected(long session, long timeoutMillis) {
        log.info("Connected to ZooKeeper (session 0x{}, timeout {} ms)", Long.toHexString(session), timeoutMillis);
    }

    @Override
    public void disconnected() {
        log.info(
                "The connection to ZooKeeper is lost: leaders lead until their lease ends, unless it is restored before");
    }

    @Override
    public void heartbeatLost(String path) {
        log.warn("The heartbeat {} was deleted or replaced by another client: all candidates join again", path);
    }

    @Override
    public void leaseShortened(long configured, long lease) {
        log.warn(
                "The lease is {} ms instead of {} ms: it must be shorter than the session timeout that the server granted",
                lease,
                configured);
    }

    @Override
    public void acknowledged(long millis, long lease) {
        if (millis > lease / 2 && lateHeartbeats.isDue("late")) {
            log.warn(
                    "ZooKeeper took {} ms to acknowledge a heartbeat, and the lease is {} ms: leadership is lost if it"
                            + " takes longer. Make the lease or the session timeout longer",
                    millis,
                    lease);
        }
    }
}
