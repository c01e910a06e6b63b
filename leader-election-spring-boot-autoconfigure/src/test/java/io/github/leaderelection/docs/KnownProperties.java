package io.github.leaderelection.docs;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The properties in the configuration metadata on the class path, with their default values; empty if there is none. */
record KnownProperties(Map<String, String> defaults) {

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";

    private static final Pattern OF_ELECTION =
            Pattern.compile("leader-election\\.elections(?:\\.[^.\\[]+|\\[[^]]+\\])\\.(.+)");

    /** Those of this project and of Spring Boot. */
    static KnownProperties ofEverything() throws IOException {
        Map<String, String> defaults = new TreeMap<>();
        for (URL url : resources()) {
            try (InputStream metadata = url.openStream()) {
                for (JsonNode property : JsonMapper.shared().readTree(metadata).get("properties")) {
                    JsonNode value = property.get("defaultValue");
                    defaults.put(
                            property.get("name").asString(),
                            value == null ? "" : value.isValueNode() ? value.asString() : value.toString());
                }
            }
        }
        return new KnownProperties(defaults);
    }

    private static List<URL> resources() throws IOException {
        List<URL> resources = new ArrayList<>(
                Collections.list(KnownProperties.class.getClassLoader().getResources(METADATA)));
        if (resources.size() < 2) {
            throw new IllegalStateException("Not all configuration metadata is there: " + resources);
        }
        return resources;
    }

    KnownProperties below(String prefix) {
        Map<String, String> chosen = new TreeMap<>();
        defaults.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                chosen.put(name.substring(prefix.length()), value);
            }
        });
        return new KnownProperties(chosen);
    }

    /** The keys below the name of an election, of which the metadata says nothing. */
    static List<String> ofAnElection() {
        Class<?> properties =
                ClassUtils.resolveClassName("io.github.leaderelection.autoconfigure.LeaderElectionProperties", null);
        Class<?> election = Arrays.stream(properties.getRecordComponents())
                .filter(component -> component.getName().equals("elections"))
                .map(component ->
                        ResolvableType.forType(component.getGenericType()).resolveGeneric(1))
                .findFirst()
                .orElseThrow();
        return Arrays.stream(election.getRecordComponents())
                .map(component -> DataObjectPropertyName.toDashedForm(component.getName()))
                .toList();
    }

    /** Whether there is such a property, a map that has it as a key, or a group of that name. */
    boolean include(String property) {
        Matcher ofElection = OF_ELECTION.matcher(property);
        if (ofElection.matches()) {
            return ofAnElection().contains(ofElection.group(1));
        }
        return defaults.keySet().stream()
                .anyMatch(name -> property.equals(name)
                        || property.startsWith(name + ".")
                        || property.startsWith(name + "[")
                        || name.startsWith(property + "."));
    }
}
