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
import java.util.function.Consumer;
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

    public static ElectionOptions defaults() {
        return new ElectionOptions();
    }

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

    private ElectionOptions with(Consumer<ElectionOptions> change) {
        var copy = new ElectionOptions(this);
        change.accept(copy);
        return copy;
    }

    /**
     * Sets the id of this instance, by default its process id and host. It is meant for humans; control characters are
     * escaped, because ids are logged.
     *
     * @throws IllegalArgumentException if the id or the metadata is too long: every other candidate reads them
     */
    public ElectionOptions candidate(String id, Map<String, String> metadata) {
        String line = CandidateIdentity.validId(Objects.requireNonNull(id, "candidate id"));
        return candidate(() -> line, metadata);
    }

    /**
     * Sets a supplier of the id. It is called when this instance is first nominated and again later, and must return
     * the same id each time. An id that is too long is truncated.
     */
    public ElectionOptions candidate(Supplier<String> id, Map<String, String> metadata) {
        Objects.requireNonNull(id, "candidate id");
        Map<String, String> valid = CandidateIdentity.validMetadata(metadata);
        return with(copy -> {
            copy.metadata = valid;
            copy.candidateId = () -> CandidateIdentity.truncated(id.get());
        });
    }

    /** Sets the name of the application, which other candidates see: by default it is unknown. */
    public ElectionOptions application(String name) {
        return with(copy -> copy.application = CandidateIdentity.truncated(name));
    }

    /** Sets whether candidates of other applications are expected. If not, the first one is logged as a warning. */
    public ElectionOptions shared(boolean shared) {
        return with(copy -> copy.shared = shared);
    }

    /** Sets how long a leader leads without a renewal, by default a third of the negotiated session timeout. */
    public ElectionOptions lease(Duration lease) {
        return with(copy -> copy.lease = Durations.positive("lease", lease));
    }

    /** Sets the priority of this instance: hand-overs, and fail-overs after a crash, go to the highest priority. */
    public ElectionOptions priority(int priority) {
        return with(copy -> copy.priority = priority);
    }

    /**
     * Makes this instance, while it leads, hand over to a higher-priority candidate that joined at least that long ago.
     * By default a leader is not replaced because of priorities. A term that a client has requested, by
     * {@link io.github.leaderelection.Election#handOver}, is left alone.
     */
    public ElectionOptions preemptAfter(Duration time) {
        return with(copy -> copy.preemptAfter = Durations.positive("preemptAfter", time));
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
        return with(copy -> copy.spread = new EngineConfig.Spread(Durations.positive("settle", settle), concurrency));
    }

    /**
     * Sets how long before the end of its lease a leader that cannot renew it stops leading, by default a sixth of the
     * lease. Its work has that time, plus a tenth of a lease, to stop before another instance can lead.
     */
    public ElectionOptions grace(Duration grace) {
        return with(copy -> copy.grace = Durations.notNegative("grace", grace));
    }

    /** Sets how long a hand-over waits for listeners and leader-only work. */
    public ElectionOptions drainTimeout(Duration timeout) {
        return with(copy -> copy.drainTimeout = Durations.notNegative("drainTimeout", timeout));
    }

    /** Sets how often each election lists its candidates, in case a watch event was missed. */
    public ElectionOptions recheckInterval(Duration interval) {
        return with(copy -> copy.recheckInterval = Durations.positive("recheckInterval", interval));
    }

    /** Sets whether missing election nodes are created. */
    public ElectionOptions createPaths(boolean create) {
        return with(copy -> copy.createPaths = create);
    }

    /** Sets whether opening an election waits for ZooKeeper and fails if it cannot be reached in time. */
    public ElectionOptions failFast(boolean failFast) {
        return with(copy -> copy.failFast = failFast);
    }

    /** Sets the ACL of every node that is created. */
    public ElectionOptions acl(List<ACL> acl) {
        if (acl.isEmpty()) {
            throw new IllegalArgumentException("acl must not be empty: the nodes would not be usable");
        }
        // Not List.copyOf: the client calls contains(null), which would throw.
        return with(copy -> copy.acl = new ArrayList<>(acl));
    }

    /** Sets whether listeners are notified of leader changes even if this instance is not a candidate. */
    public ElectionOptions observe(boolean observe) {
        return with(copy -> copy.observe = observe);
    }

    /** Sets how long to wait for ZooKeeper before an operation fails. */
    public ElectionOptions connectionTimeout(Duration timeout) {
        return with(copy -> copy.connectionTimeout = Durations.positive("connectionTimeout", timeout));
    }

    /** Sets the node under which connections keep their heartbeats. It has to be the same for all instances. */
    public ElectionOptions root(String root) {
        try {
            PathUtils.validatePath(root);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "root must be the path of a node, but is '%s': %s".formatted(root, invalid.getMessage()), invalid);
        }
        return with(copy -> copy.root = root);
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
}
