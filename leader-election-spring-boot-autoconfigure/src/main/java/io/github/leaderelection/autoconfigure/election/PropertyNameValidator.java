package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.support.MisconfigurationException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * Rejects unknown properties. The binder ignores them, and even ignores an election that has no other properties, so
 * that a misspelt property would go unnoticed.
 */
final class PropertyNameValidator {

    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("leader-election");
    /** Its value may be secret. */
    private static final ConfigurationPropertyName AUTH = ConfigurationPropertyName.of("zookeeper.auth");

    private static final ConfigurationPropertyName METADATA = ConfigurationPropertyName.of("candidate.metadata");
    private static final ConfigurationPropertyName ELECTIONS = ConfigurationPropertyName.of("elections");
    /** Position of the name of an election, and of its key, in a name below the prefix. */
    private static final int ELECTION = 1;

    private static final int KEY = 2;
    private static final int METADATA_KEY = 2;

    private final KnownPropertyNames known = new KnownPropertyNames();

    /** @throws MisconfigurationException if a property is unknown, or a group of properties has a value */
    void validate(Environment environment) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream()
                        .filter(PREFIX::isAncestorOf)
                        .forEach(name -> validate(name.subName(1), source.getConfigurationProperty(name)));
            }
        }
    }

    private void validate(ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
        if (METADATA.isParentOf(name) && name.isLastElementIndexed() && name.isNumericIndex(METADATA_KEY)) {
            throw new MisconfigurationException(
                    "%s%s is an entry of a list.".formatted(PREFIX.append(name), origin(property)),
                    adviseOnValueOfGroup(METADATA, ""));
        }
        if (known.contains(name)) {
            return;
        }
        if (known.isGroup(name)) {
            rejectValueOfGroup(name, property);
            return;
        }
        String description = "%s%s is not a known property.".formatted(PREFIX.append(name), origin(property));
        throw new MisconfigurationException(
                description, ELECTIONS.isAncestorOf(name) ? adviseOnElection(name, property) : advise(name));
    }

    /** A group without properties, such as an election that is declared by its name alone, is empty in YAML. */
    private void rejectValueOfGroup(ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
        String value = property == null ? "" : property.getValue().toString().strip();
        if (!value.isEmpty()) {
            throw new MisconfigurationException(
                    "%s is %s%s, but only the properties below it have values."
                            .formatted(
                                    PREFIX.append(name),
                                    AUTH.equals(name) ? "set" : "'%s'".formatted(value),
                                    origin(property)),
                    adviseOnValueOfGroup(name, value));
        }
    }

    private String adviseOnValueOfGroup(ConfigurationPropertyName name, String value) {
        boolean list = ELECTIONS.isParentOf(name) && name.isNumericIndex(ELECTION);
        if (list || name.equals(ELECTIONS)) {
            return "Elections are a map, not a %s. Write `%s:` below %s."
                    .formatted(list ? "list" : "value", value.split("\\s*,\\s*", 2)[0], PREFIX.append(ELECTIONS));
        }
        if (name.equals(METADATA)) {
            return "Metadata is a map. Write %s.<key> for each entry.".formatted(PREFIX.append(METADATA));
        }
        return "Set one of its properties instead: %s."
                .formatted(known.children(name).stream()
                        .map(child -> PREFIX.append(name).append(child).toString())
                        .collect(Collectors.joining(", ")));
    }

    private String advise(ConfigurationPropertyName name) {
        int last = name.getNumberOfElements() - 1;
        if (last > 0 && name.isNumericIndex(last) && known.contains(name.chop(last))) {
            return "%s has a single value, not a list. Separate several values by commas."
                    .formatted(PREFIX.append(name.chop(last)));
        }
        return known.nearest(name)
                .map(nearest -> "Did you mean %s.%s?".formatted(PREFIX, nearest))
                .orElseGet(() -> adviseOnGroup(name));
    }

    private String adviseOnGroup(ConfigurationPropertyName name) {
        ConfigurationPropertyName group = name;
        do {
            group = group.chop(group.getNumberOfElements() - 1);
        } while (!known.isGroup(group));
        ConfigurationPropertyName parent = PREFIX.append(group);
        return "Remove it, or use one of the properties of %s: %s.".formatted(parent, join(known.children(group)));
    }

    private String adviseOnElection(ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
        String election = name.getElement(ELECTION, Form.ORIGINAL);
        String key = name.getElement(KEY, Form.ORIGINAL);
        ConfigurationPropertyName elections = PREFIX.append(ELECTIONS);
        if (name.isNumericIndex(ELECTION)) {
            String suggestion = key.equals("name") && property != null ? String.valueOf(property.getValue()) : key;
            return "Elections are a map, not a list. Write `%s:` below %s.".formatted(suggestion, elections);
        }
        String nearest = known.nearest(name)
                .map(other -> "Did you mean %s.%s? ".formatted(PREFIX, other))
                .orElse("");
        return "%sThe properties of an election are %s. If its name contains a dot, put it in brackets: %s[%s.%s], or in YAML \"[%s.%s]\"."
                .formatted(nearest, join(known.children(name.chop(KEY))), elections, election, key, election, key);
    }

    private static String join(List<String> names) {
        return String.join(", ", names);
    }

    private static String origin(@Nullable ConfigurationProperty property) {
        return property == null || property.getOrigin() == null ? "" : " (from %s)".formatted(property.getOrigin());
    }
}
