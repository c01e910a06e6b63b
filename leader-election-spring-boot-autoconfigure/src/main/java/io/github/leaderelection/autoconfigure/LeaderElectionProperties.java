package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.autoconfigure.condition.Mode;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.StringUtils;

/**
 * Configuration properties for leader election.
 *
 * @param enabled Whether to enable leader election. If not, methods annotated with @LeaderOnly run on every instance.
 * @param mode Where elections are held.
 * @param candidate Identity of this instance.
 * @param root ZooKeeper node that contains the elections and the heartbeats of the connections. Below
 *     /elections and named after the application if not set.
 * @param createPaths Whether to create missing election nodes. If not, a missing node fails the startup.
 * @param failFast Whether an unreachable ZooKeeper fails the startup. If not, elections are joined once it is reachable.
 * @param lease Time for which a leader leads without a renewal. A third of the session timeout if not set.
 * @param grace Time before the end of its lease at which a leader that cannot renew it stops leading, so that its work can
 *     stop before another instance leads. A sixth of the lease if not set.
 * @param drainTimeout Time for which a hand-over waits for listeners and leader-only work.
 * @param recheckInterval Interval at which elections are read from ZooKeeper again, independently of watches.
 * @param preemptAfter Time for which a candidate of a higher priority has to be in the queue before the leader hands over to
 *     it. A leader is not replaced because of another one's priority if not set.
 * @param spread Distribution of the elections over the instances.
 * @param leaveWhenNotReady Whether to withdraw from the elections while the application refuses traffic.
 * @param leaveWhenDown Withdrawal of this instance while it is unhealthy.
 * @param zookeeper Connection to ZooKeeper.
 * @param web Responses of web applications.
 * @param elections Elections by name. A name without properties is sufficient to declare an election.
 */
@ConfigurationProperties("leader-election")
public record LeaderElectionProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("zookeeper") Mode mode,
        @DefaultValue Candidate candidate,
        @Nullable String root,
        @DefaultValue("true") boolean createPaths,
        @DefaultValue("true") boolean failFast,
        @Nullable Duration lease,
        @Nullable Duration grace,
        @DefaultValue("10s") Duration drainTimeout,
        @DefaultValue("30s") Duration recheckInterval,
        @Nullable Duration preemptAfter,
        @DefaultValue Spread spread,
        boolean leaveWhenNotReady,
        @DefaultValue LeaveWhenDown leaveWhenDown,
        @DefaultValue Zookeeper zookeeper,
        @DefaultValue Web web,
        @DefaultValue Map<String, ElectionProperties> elections) {

    /**
     * Identity of this instance.
     *
     * @param id Name of this instance for humans. Made of the application's name, host and port if not set,
     *     with the process id in place of the port if there is no web server.
     * @param metadata Additional information about this instance, visible in the list of candidates.
     * @param priority Priority of this instance. Hand-overs, and fail-overs after a crash, go to the highest one.
     */
    public record Candidate(
            @Nullable String id,
            @DefaultValue Map<String, String> metadata,
            @DefaultValue("0") int priority) {}

    /**
     * Distribution of the elections over the instances.
     *
     * @param enabled Whether this instance hands elections that it leads to instances of the same priority that lead fewer.
     * @param settle Time for which no instance must have joined or left before elections are moved.
     * @param concurrency Number of elections that this instance hands over at the same time.
     */
    public record Spread(
            boolean enabled,
            @DefaultValue("30s") Duration settle,
            @DefaultValue("4") int concurrency) {}

    /**
     * Withdrawal of this instance while it is unhealthy.
     *
     * @param enabled Whether to withdraw from the elections while the application is unhealthy and there is another candidate.
     * @param group Name of the health group to consider. All of the application's health, except that of elections, if not
     *     set.
     * @param tolerance Time for which the application has to be unhealthy before it withdraws.
     */
    public record LeaveWhenDown(
            boolean enabled,
            @Nullable String group,
            @Name("for") @DefaultValue("10s") Duration tolerance) {}

    /**
     * Connection to ZooKeeper.
     *
     * @param connectString Comma-separated host:port pairs of the servers, with an optional path at the end.
     * @param sessionTimeout Time after which the servers expire a session that they have not heard from.
     * @param connectionTimeout Time to wait for ZooKeeper before an operation is reported as failed.
     * @param auth Credentials of this application.
     * @param acl Who may access the nodes that are created. The creator if credentials are set, otherwise everyone.
     * @param ssl Encryption of the connection.
     * @param embedded Server inside this application, for development.
     */
    public record Zookeeper(
            @Nullable String connectString,
            @DefaultValue("10s") Duration sessionTimeout,
            @DefaultValue("15s") Duration connectionTimeout,
            @DefaultValue Auth auth,
            @Nullable Acl acl,
            @DefaultValue Ssl ssl,
            @DefaultValue Embedded embedded) {}

    /**
     * Credentials of this application.
     *
     * @param scheme Authentication scheme.
     * @param credentials Credentials in the format of the scheme, such as user:password.
     */
    public record Auth(@Nullable String scheme, @Nullable String credentials) {

        public Auth {
            scheme = StringUtils.hasText(scheme) ? scheme : null;
            credentials = StringUtils.hasText(credentials) ? credentials : null;
        }

        @Override
        public String toString() {
            return "Auth[scheme=%s]".formatted(scheme);
        }
    }

    /** Who may access the nodes that are created. */
    public enum Acl {
        /** Clients with the same credentials. */
        CREATOR,
        /** Everyone. */
        OPEN
    }

    /**
     * Encryption of the connection.
     *
     * @param bundle Name of the SSL bundle to use.
     */
    public record Ssl(@Nullable String bundle) {}

    /**
     * Server inside this application, for development.
     *
     * @param enabled Whether to run a ZooKeeper server inside this application. For development only.
     * @param port Port of the server on the loopback interface. Zero selects any free port.
     * @param dataDirectory Directory of the server's data. A temporary directory if not set.
     */
    public record Embedded(
            boolean enabled,
            @DefaultValue("0") int port,
            @Nullable String dataDirectory) {}

    /**
     * Responses of web applications.
     *
     * @param problemDetails Whether to respond with status 503 and problem details if a controller needs leadership.
     */
    public record Web(@DefaultValue("true") boolean problemDetails) {}

    /**
     * One election.
     *
     * @param path ZooKeeper node of the election. Below the root if not set.
     * @param participate Whether this instance is a candidate. If not, it is an observer.
     * @param observe Whether to publish events on this instance when the leader changes.
     * @param priority Priority of this instance in this election. That of the candidate if not set.
     * @param drainTimeout Time for which a hand-over waits for listeners and leader-only work. That of all elections if not
     *     set.
     */
    public record ElectionProperties(
            @Nullable String path,
            @DefaultValue("true") boolean participate,
            boolean observe,
            @Nullable Integer priority,
            @Nullable Duration drainTimeout) {

        /** The properties of an election that is declared by its name alone. */
        public static final ElectionProperties DEFAULTS = new ElectionProperties(null, true, false, null, null);
    }
}
