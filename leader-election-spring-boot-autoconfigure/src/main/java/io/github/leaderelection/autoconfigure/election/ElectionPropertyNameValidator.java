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
 * Finds keys below the names of elections that mean nothing. Binding passes over them, and over the election where it
 * has no other keys: a misspelt one would go unheard.
 */
final class ElectionPropertyNameValidator {

    private static final ConfigurationPropertyName ELECTIONS =
            ConfigurationPropertyName.of("leader-election.elections");
    /** Where in a property's name the election's is. */
    private static final int NAME = 2;

    private static final int KEY = NAME + 1;

    private static final List<String> KEYS = Arrays.stream(ElectionProperties.class.getRecordComponents())
            .map(RecordComponent::getName)
            .toList();

    private ElectionPropertyNameValidator() {}

    /** @throws MisconfigurationException if there is a key that means nothing */
    static void verify(Environment environment) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream()
                        .filter(ElectionPropertyNameValidator::meansNothing)
                        .findFirst()
                        .ifPresent(name -> refuse(name, source.getConfigurationProperty(name)));
            }
        }
    }

    private static boolean meansNothing(ConfigurationPropertyName name) {
        int elements = name.getNumberOfElements();
        return elements > KEY
                && ELECTIONS.isAncestorOf(name)
                && (elements > KEY + 1 || !KEYS.contains(name.getElement(KEY, Form.UNIFORM)));
    }

    private static void refuse(ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
        String election = name.getElement(NAME, Form.ORIGINAL);
        String key = name.getElement(KEY, Form.ORIGINAL);
        String description = "%s%s means nothing."
                .formatted(
                        ELECTIONS.append(name.subName(NAME)),
                        property == null || property.getOrigin() == null
                                ? ""
                                : " (from %s)".formatted(property.getOrigin()));
        if (name.isNumericIndex(NAME)) {
            String wanted = key.equals("name") && property != null ? String.valueOf(property.getValue()) : key;
            throw new MisconfigurationException(
                    description,
                    "Elections are a map, not a list: write `%s:` below leader-election.elections.".formatted(wanted));
        }
        throw new MisconfigurationException(
                description,
                "Below the name of an election there are only %s. If the name itself has a dot, put it into brackets: %s[%s.%s], in YAML \"[%s.%s]\"."
                        .formatted(String.join(", ", KEYS), ELECTIONS, election, key, election, key));
    }
}
