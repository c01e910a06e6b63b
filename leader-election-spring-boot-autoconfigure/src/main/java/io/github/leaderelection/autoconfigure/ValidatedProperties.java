package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Auth;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties.ElectionProperties;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Embedded;
import io.github.leaderelection.lifecycle.ElectionSettings;
import io.github.leaderelection.support.MisconfigurationException;
import io.github.leaderelection.support.OneLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.StringUtils;

/** Finds what is wrong with the properties before anything is done with them. */
public final class ValidatedProperties {

    private static final String PREFIX = "leader-election.";
    private static final int LONGEST_ID = 500;
    private static final int LONGEST_METADATA = 16_384;
    /** ZooKeeper counts milliseconds in an int. */
    private static final Duration LONGEST_SESSION = Duration.ofDays(24);

    /** Clocks count nanoseconds in a long. */
    private static final Duration LONGEST_DURATION = Duration.ofDays(36_500);

    private static final int HIGHEST_PORT = 65_535;

    private final LeaderElectionProperties properties;

    private ValidatedProperties(LeaderElectionProperties properties) {
        this.properties = properties;
    }

    /** @throws InvalidConfigurationPropertyValueException if a value cannot be used */
    static ValidatedProperties of(LeaderElectionProperties properties) {
        ValidatedProperties settings = new ValidatedProperties(properties);
        settings.verify();
        return settings;
    }

    private void verify() {
        path("root", properties.root());
        if (properties.root().equals("/")) {
            throw invalid("root", "/", "Choose a node of its own, such as /elections.");
        }
        candidate();
        timing();
        auth(properties.zookeeper().auth());
        port(properties.zookeeper().embedded().port());
        elections();
    }

    private void candidate() {
        String id = properties.candidate().id();
        if (id != null && !OneLine.isReadable(id)) {
            throw invalid(
                    "candidate.id", OneLine.of(id), "Choose an id that people can read, without control characters.");
        }
        if (id != null && id.length() > LONGEST_ID) {
            throw invalid(
                    "candidate.id", id, "It has %d characters; use at most %d.".formatted(id.length(), LONGEST_ID));
        }
        int length = properties.candidate().metadata().entrySet().stream()
                .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
                .sum();
        if (length > LONGEST_METADATA) {
            throw invalid(
                    "candidate.metadata",
                    length + " characters",
                    "Every candidate's metadata is read by whoever lists them; use at most %d characters."
                            .formatted(LONGEST_METADATA));
        }
    }

    private void timing() {
        Duration session = properties.zookeeper().sessionTimeout();
        positive("zookeeper.session-timeout", session);
        if (session.compareTo(LONGEST_SESSION) > 0) {
            throw invalid("zookeeper.session-timeout", session, "Use at most 24d.");
        }
        positive("zookeeper.connection-timeout", properties.zookeeper().connectionTimeout());
        positive("recheck-interval", properties.recheckInterval());
        if (properties.drainTimeout().isNegative()) {
            throw invalid("drain-timeout", properties.drainTimeout(), "Use 0s or more.");
        }
        notTooLong("drain-timeout", properties.drainTimeout());
        Duration lease = properties.lease();
        if (lease != null) {
            positive("lease", lease);
        }
    }

    public Embedded embedded() {
        return properties.zookeeper().embedded();
    }

    /** That of sessions which are opened as the properties say; others may be longer. */
    public Duration sessionTimeout() {
        Duration session = properties.zookeeper().sessionTimeout();
        Duration lease = properties.lease();
        if (lease != null && lease.compareTo(session) >= 0) {
            throw invalid(
                    "lease",
                    lease,
                    "The lease must be shorter than leader-election.zookeeper.session-timeout (%s). ".formatted(session)
                            + "Leave it unset to use a third of the session timeout.");
        }
        return session;
    }

    private static void positive(String property, Duration value) {
        if (value.compareTo(Duration.ofMillis(1)) < 0) {
            throw invalid(property, value, "Use a positive duration, such as 10s.");
        }
        notTooLong(property, value);
    }

    private static void notTooLong(String property, Duration value) {
        if (value.compareTo(LONGEST_DURATION) > 0) {
            throw invalid(property, value, "Use at most %dd.".formatted(LONGEST_DURATION.toDays()));
        }
    }

    /** The credentials are a secret: they are in no message. */
    private static void auth(Auth auth) {
        if ((auth.scheme() == null) != (auth.credentials() == null)) {
            String missing = auth.scheme() == null ? "scheme" : "credentials";
            throw new MisconfigurationException(
                    "leader-election.zookeeper.auth.%s is not set, though the other of the two is.".formatted(missing),
                    "Set both leader-election.zookeeper.auth.scheme (such as digest) and .credentials (such as"
                            + " user:password), or none of them.");
        }
    }

    private static void port(int port) {
        if (port < 0 || port > HIGHEST_PORT) {
            throw invalid(
                    "zookeeper.embedded.port",
                    port,
                    "Use a port up to %d, or 0 for any free one.".formatted(HIGHEST_PORT));
        }
    }

    private void elections() {
        Map<String, String> names = new HashMap<>();
        for (ElectionSettings election : configured()) {
            name(election.name());
            String property = "elections.%s.path".formatted(election.name());
            path(property, election.path());
            if (election.path().equals("/") || isWithin(election.path(), properties.root() + "/.beats")) {
                throw invalid(property, election.path(), "Choose a node of its own, such as /elections/orders.");
            }
            String other = names.put(election.path(), election.name());
            if (other != null) {
                throw overlap(election, "which election '%s' has, too".formatted(other));
            }
        }
        configured().forEach(election -> separate(election, names));
    }

    /** What one election, or the root, keeps below its node must not look like a node of another election. */
    private void separate(ElectionSettings election, Map<String, String> names) {
        if (isWithin(properties.root(), election.path())) {
            throw overlap(
                    election,
                    "but leader-election.root, below which other elections are, is %s".formatted(properties.root()));
        }
        for (int end = election.path().lastIndexOf('/');
                end > 0;
                end = election.path().lastIndexOf('/', end - 1)) {
            String above = election.path().substring(0, end);
            String other = names.get(above);
            if (other != null) {
                throw overlap(
                        election,
                        "inside the node of election '%s': leader-election.elections.%s.path is %s"
                                .formatted(other, other, above));
            }
        }
    }

    private static boolean isWithin(String path, String node) {
        return (path + "/").startsWith(node + "/");
    }

    /** Not about a value: the path may be one that is not set. */
    private static MisconfigurationException overlap(ElectionSettings election, String why) {
        return new MisconfigurationException(
                "leader-election.elections.%s.path is %s, %s.".formatted(election.name(), election.path(), why),
                "Each election needs a node of its own, neither above nor below another one's. Set the path of one of"
                        + " them, such as /elections/orders, or leave it out to have the election below the root.");
    }

    private static void name(String name) {
        String reason = whyNot(name);
        if (reason != null) {
            throw invalid("elections." + OneLine.of(name), OneLine.of(name), reason);
        }
    }

    private static @Nullable String whyNot(String name) {
        if (name.isBlank() || name.contains("/") || name.startsWith(".") || !OneLine.isReadable(name)) {
            return "The name of an election must not be blank, begin with a dot, or contain a slash or control"
                    + " characters. For another node set its path.";
        }
        return null;
    }

    private static void path(String property, String path) {
        try {
            PathUtils.validatePath(path);
        } catch (IllegalArgumentException invalid) {
            throw invalid(
                    property,
                    path,
                    "It is not a ZooKeeper path: %s. Use one such as /elections/orders."
                            .formatted(invalid.getMessage()));
        }
    }

    private static InvalidConfigurationPropertyValueException invalid(String property, Object value, String reason) {
        return new InvalidConfigurationPropertyValueException(PREFIX + property, value, reason);
    }

    public List<ElectionSettings> configured() {
        List<ElectionSettings> elections = new ArrayList<>();
        properties.elections().forEach((name, election) -> elections.add(settings(name, election)));
        return elections;
    }

    private ElectionSettings settings(String name, ElectionProperties election) {
        String path = StringUtils.hasText(election.path()) ? election.path() : defaultPath(name);
        return new ElectionSettings(name, path, election.participate(), election.observe());
    }

    private String defaultPath(String name) {
        return properties.root() + "/" + name;
    }

    /** Those of an election that is opened at run time. */
    public ElectionSettings atRunTime(String name) {
        String reason = whyNot(name);
        if (reason != null) {
            throw new IllegalArgumentException("Cannot open election '%s'. %s".formatted(name, reason));
        }
        String path = defaultPath(name);
        PathUtils.validatePath(path);
        configured().stream()
                .filter(other -> !other.name().equals(name))
                .filter(other -> isWithin(other.path(), path) || isWithin(path, other.path()))
                .findFirst()
                .ifPresent(other -> {
                    throw new IllegalArgumentException(
                            "Cannot open election '%s' at %s: election '%s' is at %s. Choose another name."
                                    .formatted(name, path, other.name(), other.path()));
                });
        return settings(name, ElectionProperties.DEFAULTS);
    }
}
