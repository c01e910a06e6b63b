package io.github.leaderelection.zookeeper;

import io.github.leaderelection.support.Delivery;
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

    private Supplier<String> candidateId = CandidateIdentity::idOfThisProcess;
    private String application = "";
    private boolean shared;
    private Map<String, String> metadata = Map.of();
    private int priority;
    private @Nullable Duration preemptAfter;
    private EngineConfig.@Nullable Spread spread;
    private @Nullable Duration lease;
    private @Nullable Duration grace;
    private Duration drainTimeout = Duration.ofSeconds(10);
    private Duration recheckInterval = Duration.ofSeconds(30);
    private Duration connectionTimeout = Duration.ofSeconds(15);
    private boolean createPaths = true;
    private boolean failFast = true;
    private boolean observe;
    private List<ACL> acl = ZooDefs.Ids.OPEN_ACL_UNSAFE;
    private String root = "/elections";

    private ElectionOptions() {}

    private ElectionOptions(ElectionOptions other) {
        candidateId = other.candidateId;
        application = other.application;
        shared = other.shared;
        metadata = other.metadata;
        priority = other.priority;
        preemptAfter = other.preemptAfter;
        spread = other.spread;
        lease = other.lease;
        grace = other.grace;
        drainTimeout = other.drainTimeout;
        recheckInterval = other.recheckInterval;
        connectionTimeout = other.connectionTimeout;
        createPaths = other.createPaths;
        failFast = other.failFast;
        observe = other.observe;
        acl = other.acl;
        root = other.root;
    }

    public static ElectionOptions defaults() {
        return new ElectionOptions();
    }

    /**
     * Sets the id of this instance, by default its process id and host. It is for people: control characters are escaped,
     * since ids are logged.
     *
     * @throws IllegalArgumentException if the id or the metadata is too long: every other candidate reads it
     */
    public ElectionOptions candidate(String id, Map<String, String> metadata) {
        String line = CandidateIdentity.validId(Objects.requireNonNull(id, "candidate id"));
        return candidate(() -> line, metadata);
    }

    /**
     * Sets an id that becomes known later: it is asked for when this instance is first nominated, and again afterwards, and
     * has to be the same each time. An id that is too long is truncated.
     */
    public ElectionOptions candidate(Supplier<String> id, Map<String, String> metadata) {
        Objects.requireNonNull(id, "candidate id");
        var copy = new ElectionOptions(this);
        copy.metadata = CandidateIdentity.validMetadata(metadata);
        copy.candidateId = () -> CandidateIdentity.truncated(id.get());
        return copy;
    }

    /** Sets the name of the application, which other candidates see: by default it is unknown. */
    public ElectionOptions application(String name) {
        var copy = new ElectionOptions(this);
        copy.application = CandidateIdentity.truncated(name);
        return copy;
    }

    /** Sets whether candidates of other applications are expected. If not, the first one that is seen is a warning. */
    public ElectionOptions shared(boolean shared) {
        var copy = new ElectionOptions(this);
        copy.shared = shared;
        return copy;
    }

    /** Sets how long a leader leads without a renewal, by default a third of the negotiated session timeout. */
    public ElectionOptions lease(Duration lease) {
        var copy = new ElectionOptions(this);
        copy.lease = positive("lease", lease);
        return copy;
    }

    /** Sets the priority of this instance: hand-overs, and fail-overs after a crash, go to the highest one. */
    public ElectionOptions priority(int priority) {
        var copy = new ElectionOptions(this);
        copy.priority = priority;
        return copy;
    }

    /**
     * Sets that this instance, while it leads, hands over to a candidate of a higher priority that has been there for so long.
     * By default a leader is not replaced because of another one's priority. A term for which a client has asked, by
     * {@link io.github.leaderelection.Election#handOver}, is left alone.
     */
    public ElectionOptions preemptAfter(Duration time) {
        var copy = new ElectionOptions(this);
        copy.preemptAfter = positive("preemptAfter", time);
        return copy;
    }

    /**
     * Sets that this instance spreads the elections below the root evenly over the connections: it hands elections that it
     * leads to candidates of the same priority that lead fewer. By default it does not, but may be given elections.
     *
     * @param settle how long no instance must have joined or left before elections are moved
     * @param concurrency how many elections this instance may hand over at once
     */
    public ElectionOptions spread(Duration settle, int concurrency) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1, but is " + concurrency);
        }
        var copy = new ElectionOptions(this);
        copy.spread = new EngineConfig.Spread(positive("settle", settle), concurrency);
        return copy;
    }

    /**
     * Sets how long before the end of its lease a leader that cannot renew it stops leading, by default a sixth of the lease.
     * Its work has that time, and a tenth of a lease, to stop before another instance can lead.
     */
    public ElectionOptions grace(Duration grace) {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace must not be negative, but is " + grace);
        }
        var copy = new ElectionOptions(this);
        copy.grace = grace;
        return copy;
    }

    /** Sets how long a hand-over waits for listeners and leader-only work. */
    public ElectionOptions drainTimeout(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("drainTimeout must not be negative, but is " + timeout);
        }
        var copy = new ElectionOptions(this);
        copy.drainTimeout = timeout;
        return copy;
    }

    /** Sets how often each election is verified by a list of its candidates, in case a watch was missed. */
    public ElectionOptions recheckInterval(Duration interval) {
        var copy = new ElectionOptions(this);
        copy.recheckInterval = positive("recheckInterval", interval);
        return copy;
    }

    /** Sets whether missing election nodes are created. */
    public ElectionOptions createPaths(boolean create) {
        var copy = new ElectionOptions(this);
        copy.createPaths = create;
        return copy;
    }

    /** Sets whether opening an election waits for ZooKeeper and fails if that cannot be reached in time. */
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
        var copy = new ElectionOptions(this);
        // Not List.copyOf, which throws when the client asks whether it contains null.
        copy.acl = new ArrayList<>(acl);
        return copy;
    }

    /** Sets whether listeners hear who leads, even if this instance is not a candidate. */
    public ElectionOptions observe(boolean observe) {
        var copy = new ElectionOptions(this);
        copy.observe = observe;
        return copy;
    }

    /** Sets how long to wait for ZooKeeper before an operation fails. */
    public ElectionOptions connectionTimeout(Duration timeout) {
        var copy = new ElectionOptions(this);
        copy.connectionTimeout = positive("connectionTimeout", timeout);
        return copy;
    }

    /** Sets the node under which connections keep their heartbeats. It has to be the same for all instances. */
    public ElectionOptions root(String root) {
        PathUtils.validatePath(root);
        var copy = new ElectionOptions(this);
        copy.root = root;
        return copy;
    }

    EngineConfig engineConfig() {
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

    /** @throws IllegalArgumentException if the lease is too long for a session with that timeout, or the grace for the lease */
    void validateLease(Duration sessionTimeout) {
        if (lease != null && lease.compareTo(sessionTimeout) >= 0) {
            throw new IllegalArgumentException(
                    "The lease (%s) must be shorter than the session timeout that the server granted (%s)"
                            .formatted(lease, sessionTimeout));
        }
        Duration effective = lease != null ? lease : sessionTimeout.dividedBy(3);
        if (grace != null && grace.multipliedBy(2).compareTo(effective) > 0) {
            throw new IllegalArgumentException(
                    "The grace (%s) must be at most half of the lease (%s)".formatted(grace, effective));
        }
    }

    Duration connectionTimeout() {
        return connectionTimeout;
    }

    /** How long leaving an election may take. */
    Duration patience() {
        return connectionTimeout.plus(drainTimeout);
    }

    boolean createPaths() {
        return createPaths;
    }

    boolean failFast() {
        return failFast;
    }

    boolean observe() {
        return observe;
    }

    String application() {
        return application;
    }

    boolean shared() {
        return shared;
    }

    Duration drainTimeout() {
        return drainTimeout;
    }

    List<ACL> acl() {
        return acl;
    }

    String root() {
        return root;
    }

    private static Duration positive(String name, Duration value) {
        if (value.toMillis() <= 0) {
            throw new IllegalArgumentException(name + " must be at least 1 ms, but is " + value);
        }
        return value;
    }
}
