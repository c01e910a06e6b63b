package io.github.leaderelection.zookeeper;

import io.github.leaderelection.support.Delivery;
import io.github.leaderelection.support.HostName;
import io.github.leaderelection.zookeeper.engine.EngineConfig;
import io.github.leaderelection.zookeeper.engine.RequestThrottle;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/** Options for the elections of a connection. Immutable: each method returns a changed copy. */
public final class ElectionOptions {

    private Supplier<String> candidateId = () -> ThisProcess.ID;
    private Map<String, String> metadata = Map.of();
    private int priority;
    private @Nullable Duration preemptAfter;
    private EngineConfig.@Nullable Spread spread;
    private @Nullable Duration lease;
    private @Nullable Duration grace;
    private Duration recheckInterval = Duration.ofSeconds(30);
    String application = "";
    boolean shared;
    Duration drainTimeout = Duration.ofSeconds(10);
    Duration connectionTimeout = Duration.ofSeconds(15);
    boolean createPaths = true;
    boolean failFast = true;
    boolean observe;
    List<ACL> acl = ZooDefs.Ids.OPEN_ACL_UNSAFE;
    String root = "/elections";

    /** Resolved when it is needed, because the host name lookup takes time. */
    private static final class ThisProcess {
        private static final String ID = ProcessHandle.current().pid() + "@" + HostName.local();
    }

    private ElectionOptions() {}

    public static ElectionOptions defaults() {
        return new ElectionOptions();
    }

    private ElectionOptions(ElectionOptions other) {
        candidateId = other.candidateId;
        metadata = other.metadata;
        priority = other.priority;
        preemptAfter = other.preemptAfter;
        spread = other.spread;
        lease = other.lease;
        grace = other.grace;
        recheckInterval = other.recheckInterval;
        application = other.application;
        shared = other.shared;
        drainTimeout = other.drainTimeout;
        connectionTimeout = other.connectionTimeout;
        createPaths = other.createPaths;
        failFast = other.failFast;
        observe = other.observe;
        acl = other.acl;
        root = other.root;
    }

    /**
     * Sets the id of this instance, by default its process id and host. It is meant for humans; control characters are
     * escaped, because ids are logged.
     *
     * @throws IllegalArgumentException if the id or the metadata is too long: every other candidate reads them
     */
    public ElectionOptions candidate(String id, Map<String, String> metadata) {
        String line = OptionValidation.candidateId(Objects.requireNonNull(id, "candidate id"));
        return candidate(() -> line, metadata);
    }

    /**
     * Sets a supplier of the id. It is called when this instance is first nominated and again later, and must return
     * the same id each time. An id that is too long is truncated.
     */
    public ElectionOptions candidate(Supplier<String> id, Map<String, String> metadata) {
        Objects.requireNonNull(id, "candidate id");
        var copy = new ElectionOptions(this);
        copy.metadata = OptionValidation.metadata(metadata);
        copy.candidateId = () -> OptionValidation.truncated(id.get());
        return copy;
    }

    /** Sets the name of the application, which other candidates see: by default it is unknown. */
    public ElectionOptions application(String name) {
        var copy = new ElectionOptions(this);
        copy.application = OptionValidation.truncated(name);
        return copy;
    }

    /** Sets whether candidates of other applications are expected. If not, the first one is logged as a warning. */
    public ElectionOptions shared(boolean shared) {
        var copy = new ElectionOptions(this);
        copy.shared = shared;
        return copy;
    }

    /** Sets how long a leader leads without a renewal, by default a third of the negotiated session timeout. */
    public ElectionOptions lease(Duration lease) {
        var copy = new ElectionOptions(this);
        copy.lease = OptionValidation.positive("lease", lease);
        return copy;
    }

    /** Sets the priority of this instance: hand-overs, and fail-overs after a crash, go to the highest priority. */
    public ElectionOptions priority(int priority) {
        var copy = new ElectionOptions(this);
        copy.priority = priority;
        return copy;
    }

    /**
     * Makes this instance, while it leads, hand over to a higher-priority candidate that joined at least that long ago.
     * By default a leader is not replaced because of priorities. A term that a client has requested, by
     * {@link io.github.leaderelection.Election#handOver}, is left alone.
     */
    public ElectionOptions preemptAfter(Duration time) {
        var copy = new ElectionOptions(this);
        copy.preemptAfter = OptionValidation.positive("preemptAfter", time);
        return copy;
    }

    /**
     * Makes this instance spread elections evenly over the connections that share the root: it hands elections that it
     * leads to candidates of the same priority that lead fewer. By default it only receives elections.
     *
     * @param settle how long to wait after an instance joined or left before elections are moved
     * @param concurrency how many elections this instance may hand over at once
     */
    public ElectionOptions spread(Duration settle, int concurrency) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1, but is " + concurrency);
        }
        var copy = new ElectionOptions(this);
        copy.spread = new EngineConfig.Spread(OptionValidation.positive("settle", settle), concurrency);
        return copy;
    }

    /**
     * Sets how long before the end of its lease a leader that cannot renew it stops leading, by default a sixth of the
     * lease. Its work has that time, plus a tenth of a lease, to stop before another instance can lead.
     */
    public ElectionOptions grace(Duration grace) {
        var copy = new ElectionOptions(this);
        copy.grace = OptionValidation.notNegative("grace", grace);
        return copy;
    }

    /** Sets how long a hand-over waits for listeners and leader-only work. */
    public ElectionOptions drainTimeout(Duration timeout) {
        var copy = new ElectionOptions(this);
        copy.drainTimeout = OptionValidation.notNegative("drainTimeout", timeout);
        return copy;
    }

    /** Sets how often each election lists its candidates, in case a watch event was missed. */
    public ElectionOptions recheckInterval(Duration interval) {
        var copy = new ElectionOptions(this);
        copy.recheckInterval = OptionValidation.positive("recheckInterval", interval);
        return copy;
    }

    /** Sets whether missing election nodes are created. */
    public ElectionOptions createPaths(boolean create) {
        var copy = new ElectionOptions(this);
        copy.createPaths = create;
        return copy;
    }

    /** Sets whether opening an election waits for ZooKeeper and fails if it cannot be reached in time. */
    public ElectionOptions failFast(boolean failFast) {
        var copy = new ElectionOptions(this);
        copy.failFast = failFast;
        return copy;
    }

    /** Sets the ACL of every node that is created. */
    public ElectionOptions acl(List<ACL> acl) {
        if (acl.isEmpty()) {
            throw new IllegalArgumentException("acl must not be empty: the nodes would not be usable");
        }
        // Not List.copyOf: the client calls contains(null), which would throw.
        var copy = new ElectionOptions(this);
        copy.acl = new ArrayList<>(acl);
        return copy;
    }

    /** Sets whether listeners are notified of leader changes even if this instance is not a candidate. */
    public ElectionOptions observe(boolean observe) {
        var copy = new ElectionOptions(this);
        copy.observe = observe;
        return copy;
    }

    /** Sets how long to wait for ZooKeeper before an operation fails. */
    public ElectionOptions connectionTimeout(Duration timeout) {
        var copy = new ElectionOptions(this);
        copy.connectionTimeout = OptionValidation.positive("connectionTimeout", timeout);
        return copy;
    }

    /** Sets the node under which connections keep their heartbeats. It has to be the same for all instances. */
    public ElectionOptions root(String root) {
        try {
            PathUtils.validatePath(root);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "root must be the path of a node, but is '%s': %s".formatted(root, invalid.getMessage()), invalid);
        }
        var copy = new ElectionOptions(this);
        copy.root = root;
        return copy;
    }

    /** @throws IllegalArgumentException if the grace is too long for the lease, as far as that is known */
    EngineConfig engineConfig() {
        if (lease != null) {
            validateGrace(lease);
        }
        return new EngineConfig(
                root, millis(lease), millis(grace), recheckInterval.toMillis(), RequestThrottle.MOST_UNDER_WAY, spread);
    }

    private static @Nullable Long millis(@Nullable Duration time) {
        return time == null ? null : Long.valueOf(time.toMillis());
    }

    ElectionState.Config electionConfig(String name, String path) {
        return new ElectionState.Config(
                name, path, createPaths, candidateId, metadata, priority, preemptAfter, application);
    }

    Delivery delivery(Executor listeners, Delivery.Timer timer) {
        return new Delivery(candidateId, listeners, Runnable::run, drainTimeout, timer);
    }

    /** @throws IllegalArgumentException if the lease is too long for the session timeout, or the grace for the lease */
    void validateLease(Duration sessionTimeout) {
        if (lease != null && lease.compareTo(sessionTimeout) >= 0) {
            throw new IllegalArgumentException(
                    "The lease (%s) must be shorter than the session timeout that the server granted (%s)"
                            .formatted(lease, sessionTimeout));
        }
        validateGrace(lease != null ? lease : sessionTimeout.dividedBy(3));
    }

    private void validateGrace(Duration effective) {
        if (grace != null && grace.multipliedBy(2).compareTo(effective) > 0) {
            throw new IllegalArgumentException(
                    "The grace (%s) must be at most half of the lease (%s)".formatted(grace, effective));
        }
    }

    /** How long leaving an election may take. */
    Duration patience() {
        return connectionTimeout.plus(drainTimeout);
    }
}
