package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties.ElectionProperties;
import io.github.leaderelection.support.MisconfigurationException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * Rejects unknown properties of elections. The binder ignores them, and even the election if it has no other properties,
 * so that a misspelt property would go unnoticed.
 */
final class ElectionPropertyNameValidator {

    private static final ConfigurationPropertyName ELECTIONS =
            ConfigurationPropertyName.of("leader-election.elections");
    /** Position of the election's name in the name of a property. */
    private static final int NAME = 2;

    private static final int KEY = NAME + 1;

    private static final List<String> KEYS = Arrays.stream(ElectionProperties.class.getRecordComponents())
            .map(RecordComponent::getName)
            .toList();

    private ElectionPropertyNameValidator() {}

    /** @throws MisconfigurationException if an unknown property is set */
    static void validate(Environment environment) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream()
                        .filter(ElectionPropertyNameValidator::isUnknown)
                        .findFirst()
                        .ifPresent(name -> reject(name, source.getConfigurationProperty(name)));
            }
        }
    }

    private static boolean isUnknown(ConfigurationPropertyName name) {
        int elements = name.getNumberOfElements();
        return elements > KEY
                && ELECTIONS.isAncestorOf(name)
                && (elements > KEY + 1 || !KEYS.contains(name.getElement(KEY, Form.UNIFORM)));
    }

    private static void reject(ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
        String election = name.getElement(NAME, Form.ORIGINAL);
        String key = name.getElement(KEY, Form.ORIGINAL);
        String description = "%s%s is not a known property."
                .formatted(
                        ELECTIONS.append(name.subName(NAME)),
                        property == null || property.getOrigin() == null
                                ? ""
                                : " (from %s)".formatted(property.getOrigin()));
        if (name.isNumericIndex(NAME)) {
            String suggestion = key.equals("name") && property != null ? String.valueOf(property.getValue()) : key;
            throw new MisconfigurationException(
                    description,
                    "Elections are a map, not a list. Write `%s:` below leader-election.elections."
                            .formatted(suggestion));
        }
        throw new MisconfigurationException(
                description,
                "The properties of an election are %s. If its name contains a dot, put it in brackets: %s[%s.%s], or in YAML \"[%s.%s]\"."
                        .formatted(String.join(", ", KEYS), ELECTIONS, election, key, election, key));
    }
}
