package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.support.MisconfigurationException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Rejects environment variables that are named {@code LEADER_ELECTION_…} and have no effect. Spring Boot finds such a
 * variable only if it asks for exactly that property; it does not find the names of elections in them.
 */
final class EnvironmentVariableValidator {

    private static final String PREFIX = "LEADER_ELECTION_";
    private static final String PREFIX_WITHOUT_DASH = "LEADERELECTION_";
    /** Set by Kubernetes for a service named {@code leader-election}. */
    private static final Pattern KUBERNETES = Pattern.compile("(SERVICE_(HOST|PORT)|PORT)(_.*)?");

    private final KnownPropertyNames known = new KnownPropertyNames();

    /** @throws MisconfigurationException if a variable has no effect */
    void validate(ConfigurableEnvironment environment) {
        Set<String> effective = new HashSet<>();
        known.exactNames(ElectionNames.configured(environment)).forEach(name -> effective.add(variable(name)));
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof SystemEnvironmentPropertySource variables) {
                Arrays.stream(variables.getPropertyNames())
                        .filter(name -> name.startsWith(PREFIX) && !effective.contains(name))
                        .map(name -> name.substring(PREFIX.length()))
                        .filter(rest -> !KUBERNETES.matcher(rest).matches())
                        .findFirst()
                        .ifPresent(this::reject);
            }
        }
    }

    /** The name under which Spring Boot looks for a property besides the one without dashes. */
    private static String variable(String property) {
        return PREFIX + property.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
    }

    private void reject(String rest) {
        var name = ConfigurationPropertyName.adapt(rest.toLowerCase(Locale.ROOT), '_');
        String nearest = known.nearest(name)
                .map(property -> "Did you mean %s%s? "
                        .formatted(
                                PREFIX_WITHOUT_DASH,
                                property.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT)))
                .orElse("");
        throw new MisconfigurationException(
                "The environment variable %s%s is not known, and would have no effect.".formatted(PREFIX, rest),
                nearest
                        + "Name a variable after its property, with underscores for dots and without dashes:"
                        + " LEADERELECTION_ELECTIONS_ORDERS_PATH is leader-election.elections.orders.path.");
    }
}
