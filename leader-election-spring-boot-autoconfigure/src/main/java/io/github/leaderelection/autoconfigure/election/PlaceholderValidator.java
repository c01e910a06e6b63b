package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.support.MisconfigurationException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.env.Environment;
import org.springframework.util.PlaceholderResolutionException;

/**
 * Rejects values with a placeholder that cannot be resolved. The binder leaves it as it is, so that all instances would
 * have the id <code>${HOSTNAME}</code>, for instance, or an election would be at a node with such a name.
 */
final class PlaceholderValidator {

    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("leader-election");

    private final Set<ConfigurationPropertyName> checked = new HashSet<>();

    /** @throws MisconfigurationException if a value that is used has such a placeholder */
    void validate(Environment environment) {
        if (Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
            // The application is being built on another machine.
            return;
        }
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream()
                        .filter(PREFIX::isAncestorOf)
                        // The first source with a property overrides the others.
                        .filter(checked::add)
                        .forEach(name -> validate(name, source.getConfigurationProperty(name), environment));
            }
        }
    }

    private static void validate(
            ConfigurationPropertyName name, @Nullable ConfigurationProperty property, Environment environment) {
        if (property == null || !(property.getValue() instanceof CharSequence value)) {
            return;
        }
        try {
            environment.resolveRequiredPlaceholders(value.toString());
        } catch (PlaceholderResolutionException unresolvable) {
            String placeholder = unresolvable.getPlaceholder();
            // Without the cause, which contains the whole value: it may be secret.
            throw new MisconfigurationException(
                    "%s (from %s) has a placeholder that cannot be resolved: ${%s}."
                            .formatted(name, property.getOrigin(), placeholder),
                    "Define %s, for instance as an environment variable, or give the placeholder a default: ${%s:…}."
                            .formatted(placeholder, placeholder));
        }
    }
}
