package io.github.leaderelection.zookeeper;

import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.engine.ConnectionListener;
import io.github.leaderelection.zookeeper.engine.LogRateLimiter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the log tells of the connection. Confined to the loop. */
abstract class ConnectionLog implements ConnectionListener {

    private static final Logger log = LoggerFactory.getLogger(ZooKeeperElections.class);

    private final LogRateLimiter lateBeats;

    ConnectionLog(Clock clock) {
        lateBeats = new LogRateLimiter(clock);
    }

    @Override
    public void connected(long session, long timeoutMillis) {
        log.info("Connected to ZooKeeper (session 0x{}, timeout {} ms)", Long.toHexString(session), timeoutMillis);
    }

    @Override
    public void disconnected() {
        log.info(
                "The connection to ZooKeeper is lost: leaders on it lead until their lease ends, unless it returns in time");
    }

    @Override
    public void leaseShortened(long configured, long lease) {
        log.warn(
                "The lease is {} ms instead of {} ms: it must be shorter than the session timeout that the server granted",
                lease,
                configured);
    }

    /** Where every second heartbeat is late, one line is as good as a thousand. */
    @Override
    public void acknowledged(long millis, long lease) {
        if (millis > lease / 2 && lateBeats.isDue("late")) {
            log.warn(
                    "ZooKeeper took {} ms to acknowledge a heartbeat, and the lease is {} ms: leadership is lost if it"
                            + " takes longer. Make the lease or the session timeout longer",
                    millis,
                    lease);
        }
    }
}
