package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Auth;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Candidate;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Spread;
import io.github.leaderelection.support.MisconfigurationException;
import io.github.leaderelection.support.OneLine;
import java.time.Duration;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Validates all properties except those of individual elections. */
final class LeaderElectionPropertiesValidator {

    private static final String PREFIX = "leader-election.";
    private static final int MAX_ID_LENGTH = 500;
    private static final int MAX_METADATA_LENGTH = 16_384;
    /** ZooKeeper counts milliseconds in an int. */
    private static final Duration MAX_SESSION_TIMEOUT = Duration.ofDays(24);
    /** Clocks count nanoseconds in a long. */
    private static final Duration MAX_DURATION = Duration.ofDays(36_500);

    /** Less is not what was meant. */
    private static final Duration MIN_INTERVAL = Duration.ofMillis(100);

    private static final int MAX_PORT = 65_535;

    private LeaderElectionPropertiesValidator() {}

    static void validate(LeaderElectionProperties properties, String root) {
        validateRoot(root);
        validateCandidate(properties.candidate());
        validateDurations(properties);
        validateSpread(properties.spread());
        validateAuth(properties.zookeeper().auth());
        validatePort(properties.zookeeper().embedded().port());
    }

    private static void validateRoot(String root) {
        ElectionPathValidator.validatePath("root", root);
        if (root.equals("/")) {
            throw invalid("root", "/", "Choose another node, such as /elections/shop.");
        }
    }

    private static void validateCandidate(Candidate candidate) {
        String id = candidate.id();
        if (id != null && !OneLine.isReadable(id)) {
            throw invalid("candidate.id", OneLine.of(id), "Remove control characters and other invisible characters.");
        }
        if (id != null && id.length() > MAX_ID_LENGTH) {
            throw invalid(
                    "candidate.id", id, "It has %d characters. Use at most %d.".formatted(id.length(), MAX_ID_LENGTH));
        }
        int length = candidate.metadata().entrySet().stream()
                .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
                .sum();
        if (length > MAX_METADATA_LENGTH) {
            throw invalid(
                    "candidate.metadata",
                    length + " characters",
                    "The metadata of all candidates is read whenever they are listed. Use at most %d characters."
                            .formatted(MAX_METADATA_LENGTH));
        }
    }

    private static void validateDurations(LeaderElectionProperties properties) {
        Duration sessionTimeout = properties.zookeeper().sessionTimeout();
        requireAtLeastMinimum("zookeeper.session-timeout", sessionTimeout);
        requireAtMost("zookeeper.session-timeout", sessionTimeout, MAX_SESSION_TIMEOUT);
        requireAtLeastMinimum(
                "zookeeper.connection-timeout", properties.zookeeper().connectionTimeout());
        requireAtLeastMinimum("leave-when-down.for", properties.leaveWhenDown().tolerance());
        requireAtLeastMinimum("recheck-interval", properties.recheckInterval());
        requireDrainTimeout("drain-timeout", properties.drainTimeout());
        if (properties.lease() != null) {
            requireAtLeastMinimum("lease", properties.lease());
        }
        if (properties.preemptAfter() != null) {
            requireAtLeastMinimum("preempt-after", properties.preemptAfter());
        }
        if (properties.grace() != null) {
            requireNotNegative("grace", properties.grace());
        }
    }

    private static void validateSpread(Spread spread) {
        requireAtLeastMinimum("spread.settle", spread.settle());
        if (spread.concurrency() < 1) {
            throw invalid("spread.concurrency", spread.concurrency(), "Use 1 or more.");
        }
    }

    static void requireDrainTimeout(String property, Duration value) {
        requireNotNegative(property, value);
        if (!value.isZero()) {
            requireAtLeastMinimum(property, value);
        }
    }

    private static void requireNotNegative(String property, Duration value) {
        if (value.isNegative()) {
            throw invalid(property, value, "Use 0s or more.");
        }
        requireAtMost(property, value, MAX_DURATION);
    }

    private static void requirePositive(String property, Duration value) {
        if (value.compareTo(Duration.ofMillis(1)) < 0) {
            throw invalid(property, value, "Use a positive duration, such as 10s.");
        }
        requireAtMost(property, value, MAX_DURATION);
    }

    /** A number without a unit counts milliseconds: a lease of 3 is most likely meant to be 3 seconds. */
    private static void requireAtLeastMinimum(String property, Duration value) {
        requirePositive(property, value);
        if (value.compareTo(MIN_INTERVAL) < 0) {
            throw invalid(
                    property,
                    value,
                    "Use at least %d ms. A number without a unit counts milliseconds: write 10s for ten seconds."
                            .formatted(MIN_INTERVAL.toMillis()));
        }
    }

    private static void requireAtMost(String property, Duration value, Duration maximum) {
        if (value.compareTo(maximum) > 0) {
            throw invalid(property, value, "Use at most %dd.".formatted(maximum.toDays()));
        }
    }

    static void validateLease(LeaderElectionProperties properties) {
        Duration sessionTimeout = properties.zookeeper().sessionTimeout();
        Duration lease = properties.lease();
        if (lease != null && lease.compareTo(sessionTimeout) >= 0) {
            throw invalid(
                    "lease",
                    lease,
                    "The lease must be shorter than leader-election.zookeeper.session-timeout (%s). Remove the property to use a third of the session timeout."
                            .formatted(sessionTimeout));
        }
        Duration grace = properties.grace();
        Duration effective = lease != null ? lease : sessionTimeout.dividedBy(3);
        if (grace != null && grace.multipliedBy(2).compareTo(effective) > 0) {
            throw invalid(
                    "grace",
                    grace,
                    "The grace must be at most half of the lease (%s). Remove the property to use a sixth of the lease."
                            .formatted(effective));
        }
    }

    /** The messages do not contain the credentials, which are secret. */
    private static void validateAuth(Auth auth) {
        if ((auth.scheme() == null) != (auth.credentials() == null)) {
            throw new MisconfigurationException(
                    auth.scheme() == null
                            ? "leader-election.zookeeper.auth.credentials is set, but leader-election.zookeeper.auth.scheme is not set."
                            : "leader-election.zookeeper.auth.scheme is set, but leader-election.zookeeper.auth.credentials is not set.",
                    "Set both leader-election.zookeeper.auth.scheme (such as digest) and leader-election.zookeeper.auth.credentials (such as user:password), or neither of them.");
        }
        if ("digest".equals(auth.scheme())
                && !String.valueOf(auth.credentials()).contains(":")) {
            throw new MisconfigurationException(
                    "leader-election.zookeeper.auth.credentials has no colon, but leader-election.zookeeper.auth.scheme is digest.",
                    "Set leader-election.zookeeper.auth.credentials to a user and a password, in the form user:password.");
        }
    }

    private static void validatePort(int port) {
        if (port < 0 || port > MAX_PORT) {
            throw invalid(
                    "zookeeper.embedded.port",
                    port,
                    "Use a port up to %d, or 0 for any free port.".formatted(MAX_PORT));
        }
    }

    static InvalidConfigurationPropertyValueException invalid(String property, Object value, String reason) {
        return new InvalidConfigurationPropertyValueException(PREFIX + property, value, reason);
    }
}
