package io.github.leaderelection.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.leaderelection.support.HostName;
import io.github.leaderelection.support.OneLine;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/** How the elections of a connection behave. Immutable: each method returns a changed copy. */
public final class ElectionOptions {

    private static final int LONGEST_ID = 500;
    private static final int MOST_DATA = 65_536;
    private static final String PROCESS = ProcessHandle.current().pid() + "@" + HostName.local();

    private Supplier<String> candidateId = () -> PROCESS;
    private Map<String, String> metadata = Map.of();
    private @Nullable Duration lease;
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
        metadata = other.metadata;
        lease = other.lease;
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
     * What this instance is called, for people; process id and host unless told. Control characters are written as
     * escapes: ids go into logs.
     *
     * @throws IllegalArgumentException if it is too long: every other candidate reads it
     */
    public ElectionOptions candidate(String id, Map<String, String> metadata) {
        String line = OneLine.of(Objects.requireNonNull(id, "candidate id"));
        if (line.length() > LONGEST_ID) {
            throw new IllegalArgumentException("The candidate id must have at most %d characters, but has %d"
                    .formatted(LONGEST_ID, line.length()));
        }
        return candidate(() -> line, metadata);
    }

    /**
     * What this instance is called, where that becomes known only later: asked for when it is nominated for the first
     * time, and now and then afterwards. It has to be the same each time. An id that is too long is cut off.
     */
    public ElectionOptions candidate(Supplier<String> id, Map<String, String> metadata) {
        Objects.requireNonNull(id, "candidate id");
        ElectionOptions copy = new ElectionOptions(this);
        copy.candidateId = () -> shorten(OneLine.of(id.get()));
        copy.metadata = metadata.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        entry -> wellFormed(entry.getKey()), entry -> wellFormed(entry.getValue()), (a, b) -> b));
        int size = new CandidateData("", copy.metadata, "").toJson().length;
        if (size > MOST_DATA) {
            throw new IllegalArgumentException(
                    "The candidate's metadata must have at most %d bytes, but has %d".formatted(MOST_DATA, size));
        }
        return copy;
    }

    private static String shorten(String id) {
        return id.length() <= LONGEST_ID ? id : id.substring(0, LONGEST_ID);
    }

    /** What UTF-8 can't write is replaced. */
    private static String wellFormed(String text) {
        return new String(text.getBytes(UTF_8), UTF_8);
    }

    /** How long a leader leads without a renewal; a third of the negotiated session timeout unless told. */
    public ElectionOptions lease(Duration lease) {
        ElectionOptions copy = new ElectionOptions(this);
        copy.lease = positive("lease", lease);
        return copy;
    }

    /** How long a hand-over waits for listeners and leader-only work. */
    public ElectionOptions drainTimeout(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("drainTimeout must not be negative, but is " + timeout);
        }
        ElectionOptions copy = new ElectionOptions(this);
        copy.drainTimeout = timeout;
        return copy;
    }

    /** How often everything is verified by listing, whatever the watches told. */
    public ElectionOptions recheckInterval(Duration interval) {
        ElectionOptions copy = new ElectionOptions(this);
        copy.recheckInterval = positive("recheckInterval", interval);
        return copy;
    }

    /** Whether missing election nodes are created. */
    public ElectionOptions createPaths(boolean create) {
        ElectionOptions copy = new ElectionOptions(this);
        copy.createPaths = create;
        return copy;
    }

    /** Whether opening an election waits for ZooKeeper, and fails if it cannot be reached in time. */
    public ElectionOptions failFast(boolean failFast) {
        ElectionOptions copy = new ElectionOptions(this);
        copy.failFast = failFast;
        return copy;
    }

    /** The ACL of every node that is made. */
    public ElectionOptions acl(List<ACL> acl) {
        if (acl.isEmpty()) {
            throw new IllegalArgumentException("acl must not be empty: nobody could use the nodes");
        }
        ElectionOptions copy = new ElectionOptions(this);
        // Not List.copyOf: the client asks the list whether it contains null.
        copy.acl = new ArrayList<>(acl);
        return copy;
    }

    /** Whether listeners are told who leads, even where this instance takes no part. */
    public ElectionOptions observe(boolean observe) {
        ElectionOptions copy = new ElectionOptions(this);
        copy.observe = observe;
        return copy;
    }

    /** How long to wait for ZooKeeper before an operation is reported as failed. */
    public ElectionOptions connectionTimeout(Duration timeout) {
        ElectionOptions copy = new ElectionOptions(this);
        copy.connectionTimeout = positive("connectionTimeout", timeout);
        return copy;
    }

    /** The node that holds the heartbeats of the connections; the same for all instances. */
    public ElectionOptions root(String root) {
        PathUtils.validatePath(root);
        ElectionOptions copy = new ElectionOptions(this);
        copy.root = root;
        return copy;
    }

    Supplier<String> candidateId() {
        return candidateId;
    }

    Map<String, String> metadata() {
        return metadata;
    }

    Optional<Duration> lease() {
        return Optional.ofNullable(lease);
    }

    Duration drainTimeout() {
        return drainTimeout;
    }

    Duration recheckInterval() {
        return recheckInterval;
    }

    Duration connectionTimeout() {
        return connectionTimeout;
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
