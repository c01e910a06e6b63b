package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties.ElectionProperties;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties.Embedded;
import io.github.leaderelection.lifecycle.ElectionSettings;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** The configured elections and other values that must not be used before all properties have been validated. */
public final class ValidatedProperties {

    private final LeaderElectionProperties properties;
    private final String root;
    private final ElectionPathValidator paths;
    private final List<ElectionSettings> elections;

    /**
     * Validates the properties.
     *
     * @throws InvalidConfigurationPropertyValueException if a value is invalid
     * @throws io.github.leaderelection.support.MisconfigurationException if values contradict each other
     */
    ValidatedProperties(LeaderElectionProperties properties, Environment environment) {
        this.properties = properties;
        this.root = RootResolver.resolve(properties, environment);
        LeaderElectionPropertiesValidator.validate(properties, root);
        this.paths = new ElectionPathValidator(root);
        this.elections = properties.elections().entrySet().stream()
                .map(election -> settings(election.getKey(), election.getValue()))
                .toList();
        paths.validate(elections);
    }

    private ElectionSettings settings(String name, ElectionProperties election) {
        String configured = election.path();
        String path = StringUtils.hasText(configured) ? configured : defaultPath(name);
        // A path that was configured may be shared on purpose.
        boolean shared = StringUtils.hasText(configured);
        Duration drainTimeout = election.drainTimeout() == null ? properties.drainTimeout() : election.drainTimeout();
        LeaderElectionPropertiesValidator.requireDrainTimeout(
                "elections.%s.drain-timeout".formatted(name), drainTimeout);
        int priority = election.priority() == null ? properties.candidate().priority() : election.priority();
        return new ElectionSettings(
                name, path, shared, election.participate(), election.observe(), priority, drainTimeout);
    }

    private String defaultPath(String name) {
        return root + "/" + name;
    }

    /** The node that contains the elections without a path of their own, and the heartbeats of the connections. */
    public String root() {
        return root;
    }

    /** The configured elections, in the order of the configuration. */
    public List<ElectionSettings> elections() {
        return elections;
    }

    /** The drain timeout of the election with that name, whether it is configured or not. */
    public Duration drainTimeout(String name) {
        return elections.stream()
                .filter(election -> election.name().equals(name))
                .map(ElectionSettings::drainTimeout)
                .findFirst()
                .orElse(properties.drainTimeout());
    }

    /** The drain timeout of the election that may take longest to be left. */
    public Duration longestDrainTimeout() {
        return elections.stream()
                .map(ElectionSettings::drainTimeout)
                .reduce(properties.drainTimeout(), (one, other) -> one.compareTo(other) < 0 ? other : one);
    }

    /**
     * The settings of an election that is opened at run time.
     *
     * @throws IllegalArgumentException if the name is invalid, or its path overlaps with that of a configured election
     */
    public ElectionSettings electionAtRunTime(String name) {
        paths.validateAtRunTime(name, defaultPath(name), elections);
        return settings(name, ElectionProperties.DEFAULTS);
    }

    public Embedded embedded() {
        return properties.zookeeper().embedded();
    }

    /**
     * The timeout of sessions that are opened according to the properties. Sessions of the application may have a
     * different timeout, so the lease is compared with it only here.
     */
    public Duration sessionTimeout() {
        LeaderElectionPropertiesValidator.validateLease(properties);
        return properties.zookeeper().sessionTimeout();
    }
}
