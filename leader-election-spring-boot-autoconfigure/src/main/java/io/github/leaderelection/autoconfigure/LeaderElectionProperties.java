package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.support.MisconfigurationException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * Properties of leader election.
 *
 * @param enabled Whether elections are set up. Without them methods marked @LeaderOnly run on every instance.
 * @param mode Where elections are held.
 * @param candidate What this instance is called.
 * @param root ZooKeeper node below which elections are, and which holds the heartbeats of the connections.
 * @param createPaths Whether missing election nodes are created. If not, a missing one fails the startup.
 * @param failFast Whether an unreachable ZooKeeper fails the startup. If not, elections are joined when it comes.
 * @param lease Time for which a leader leads without a renewal. A third of the session timeout unless set.
 * @param drainTimeout Time for which a hand-over waits for listeners and leader-only work.
 * @param recheckInterval Time after which everything is verified by listing, whatever the watches told.
 * @param leaveWhenNotReady Whether this instance withdraws from its elections while it refuses traffic.
 * @param zookeeper Connection to ZooKeeper.
 * @param elections Elections by name. A name alone declares an election.
 */
@ConfigurationProperties("leader-election")
record LeaderElectionProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("zookeeper") Mode mode,
        @DefaultValue Candidate candidate,
        @DefaultValue("/elections") String root,
        @DefaultValue("true") boolean createPaths,
        @DefaultValue("true") boolean failFast,
        @Nullable Duration lease,
        @DefaultValue("10s") Duration drainTimeout,
        @DefaultValue("30s") Duration recheckInterval,
        boolean leaveWhenNotReady,
        @DefaultValue Zookeeper zookeeper,
        @DefaultValue Map<String, ElectionProperties> elections) {

    enum Mode {
        /** Elections between all instances that use the same ZooKeeper. */
        ZOOKEEPER,
        /** Elections inside this process, which always leads. For development and tests. */
        LOCAL;

        /**
         * Ahead-of-time processing decides for a mode when the application is built. If another one is asked for when it
         * starts, it must not go unheard: with the wrong one every instance would lead.
         */
        void requireBuiltFor(Mode built) {
            if (this != built) {
                throw new MisconfigurationException(
                        "leader-election.mode is %s, but ahead-of-time processing has built this application for %s."
                                .formatted(
                                        name().toLowerCase(Locale.ROOT),
                                        built.name().toLowerCase(Locale.ROOT)),
                        "Build it with the mode in which it is to run, or start it with spring.aot.enabled=false.");
            }
        }
    }

    /**
     * @param id Name of this instance for people. The application's name, host and port unless set.
     * @param metadata Further information about this instance, shown to whoever lists the candidates.
     */
    record Candidate(@Nullable String id, @DefaultValue Map<String, String> metadata) {}

    /**
     * @param connectString Comma-separated host:port pairs of the servers, with an optional path at the end.
     * @param sessionTimeout Time after which the servers give up a session that is not heard from.
     * @param connectionTimeout Time to wait for ZooKeeper before an operation is reported as failed.
     * @param auth Credentials of this application.
     * @param acl Who may use the nodes that are created. The creator where credentials are set, else everybody.
     * @param ssl Encryption of the connection.
     * @param embedded Server inside this application, for development.
     */
    record Zookeeper(
            @Nullable String connectString,
            @DefaultValue("10s") Duration sessionTimeout,
            @DefaultValue("15s") Duration connectionTimeout,
            @DefaultValue Auth auth,
            @Nullable Acl acl,
            @DefaultValue Ssl ssl,
            @DefaultValue Embedded embedded) {}

    /**
     * @param scheme Authentication scheme.
     * @param credentials Credentials in the form that the scheme asks for, such as user:password.
     */
    record Auth(@Nullable String scheme, @Nullable String credentials) {

        Auth {
            scheme = StringUtils.hasText(scheme) ? scheme : null;
            credentials = StringUtils.hasText(credentials) ? credentials : null;
        }

        @Override
        public String toString() {
            return "Auth[scheme=%s]".formatted(scheme);
        }
    }

    enum Acl {
        /** Only who has the same credentials. */
        CREATOR,
        /** Everybody. */
        OPEN
    }

    /** @param bundle Name of the SSL bundle to use. */
    record Ssl(@Nullable String bundle) {}

    /**
     * @param enabled Whether a ZooKeeper server runs inside this application. For development only.
     * @param port Port of the server on the loopback interface. Zero means any free one.
     * @param dataDirectory Directory of the server's data. A temporary one unless set.
     */
    record Embedded(
            boolean enabled,
            @DefaultValue("0") int port,
            @Nullable String dataDirectory) {}

    /**
     * @param path ZooKeeper node of the election. Below the root unless set.
     * @param participate Whether this instance is a candidate. If not, it is an observer.
     * @param observe Whether this instance is told who leads, by events.
     */
    record ElectionProperties(
            @Nullable String path, @DefaultValue("true") boolean participate, boolean observe) {

        /** What there can be below the name of an election. */
        static final List<String> KEYS = Arrays.stream(ElectionProperties.class.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();

        static final ElectionProperties DEFAULTS = new ElectionProperties(null, true, false);
    }
}
