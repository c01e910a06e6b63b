package io.github.leaderelection.autoconfigure.zookeeper;

import io.github.leaderelection.lifecycle.ElectionProvider;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.support.DelayedTasks;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/** Logs a warning, and repeats it, if the application has started and there has been no connection to ZooKeeper yet. */
final class ConnectionReminder implements ApplicationListener<ApplicationReadyEvent>, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(ConnectionReminder.class);

    /** A connection that is being established is not worth a warning. */
    private static final Duration FIRST_DELAY = Duration.ofSeconds(2);

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final ElectionProvider provider;
    private final Supplier<@Nullable String> address;
    private final Duration firstDelay;
    private final Duration interval;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean stopped;

    /** @param address returns the address of ZooKeeper; null if it is unknown */
    ConnectionReminder(ElectionProvider provider, Supplier<@Nullable String> address) {
        this(provider, address, FIRST_DELAY, INTERVAL);
    }

    ConnectionReminder(
            ElectionProvider provider, Supplier<@Nullable String> address, Duration firstDelay, Duration interval) {
        this.provider = provider;
        this.address = address;
        this.firstDelay = firstDelay;
        this.interval = interval;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent ready) {
        begin();
    }

    void begin() {
        // The events of child applications arrive here, too.
        if (started.compareAndSet(false, true)) {
            DelayedTasks.run(firstDelay, this::remind);
        }
    }

    private void remind() {
        ConnectionStatus status = provider.connection();
        boolean neverConnected =
                status.state() == ConnectionStatus.State.DISCONNECTED && status.sessionTimeout() == null;
        if (neverConnected && !stopped) {
            String known = address.get();
            log.warn(
                    "There is no connection to ZooKeeper{} yet, so this instance has not joined its elections, and joins"
                            + " them once there is one (leader-election.fail-fast=false){}",
                    known == null ? "" : " at " + known,
                    known == null ? "" : ". " + new ServerProbe().describe(known));
            DelayedTasks.run(interval, this::remind);
        }
    }

    @Override
    public void destroy() {
        stopped = true;
    }
}
