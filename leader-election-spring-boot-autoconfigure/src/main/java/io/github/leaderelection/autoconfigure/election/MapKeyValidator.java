package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.support.MisconfigurationException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Rejects names of elections and metadata with characters that Spring Boot removes from a key without brackets: {@code
 * eu/billing} would be the election {@code eubilling}.
 */
final class MapKeyValidator {

    private static final Pattern KEY = Pattern.compile(
            "(?i)(leader-?election\\.(?:elections|candidate\\.metadata))\\.([^.\\[]+).*", Pattern.DOTALL);
    private static final Pattern REMOVED = Pattern.compile("^-|[^A-Za-z0-9_-]");

    /** @throws MisconfigurationException if a key has such characters */
    void validate(ConfigurableEnvironment environment) {
        environment.getPropertySources().stream()
                .filter(source -> !(source instanceof SystemEnvironmentPropertySource))
                .filter(EnumerablePropertySource.class::isInstance)
                .flatMap(source -> Arrays.stream(((EnumerablePropertySource<?>) source).getPropertyNames()))
                .map(KEY::matcher)
                .filter(Matcher::matches)
                .forEach(name -> validate(name.group(1), name.group(2)));
    }

    private static void validate(String map, String key) {
        Matcher removed = REMOVED.matcher(key);
        if (removed.find()) {
            throw new MisconfigurationException(
                    "The key '%s' of %s would be read as '%s'.".formatted(key, map, removed.replaceAll("")),
                    "Put it in brackets, and in YAML in quotes as well: \"[%s]\". Or use letters of the Latin alphabet,"
                                    .formatted(key)
                            + " digits, dashes and underscores. The name of an election must not contain a slash.");
        }
    }
}
