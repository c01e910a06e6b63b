package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

/** The names of all properties, derived from {@link LeaderElectionProperties}. */
final class KnownPropertyNames {

    /** Stands for the name of an election. */
    private static final String ANY_NAME = "*";
    /** Stands for any key, which may contain dots. */
    private static final String ANY_KEY = "**";

    private final List<List<String>> names = new ArrayList<>();

    KnownPropertyNames() {
        add(List.of(), LeaderElectionProperties.class);
    }

    private void add(List<String> parent, Class<?> properties) {
        Constructor<?> constructor = properties.getDeclaredConstructors()[0];
        for (Parameter parameter : constructor.getParameters()) {
            List<String> name = append(parent, name(parameter));
            ResolvableType type = ResolvableType.forType(parameter.getParameterizedType());
            if (type.resolve() == Map.class) {
                addMap(name, type.getGeneric(1).toClass());
            } else if (type.toClass().isRecord()) {
                add(name, type.toClass());
            } else {
                names.add(name);
            }
        }
    }

    private void addMap(List<String> name, Class<?> values) {
        if (values.isRecord()) {
            add(append(name, ANY_NAME), values);
        } else {
            names.add(append(name, ANY_KEY));
        }
    }

    private static String name(Parameter parameter) {
        Name explicit = parameter.getAnnotation(Name.class);
        return explicit != null ? explicit.value() : DataObjectPropertyName.toDashedForm(parameter.getName());
    }

    private static List<String> append(List<String> parent, String name) {
        return Stream.concat(parent.stream(), Stream.of(name)).toList();
    }

    /** @param name a name below {@code leader-election} */
    boolean contains(ConfigurationPropertyName name) {
        return names.stream()
                .anyMatch(known -> known.get(known.size() - 1).equals(ANY_KEY)
                        ? name.getNumberOfElements() >= known.size() && startsWith(known, name, known.size() - 1)
                        : name.getNumberOfElements() == known.size() && startsWith(known, name, known.size()));
    }

    /** All names but those of metadata, each one that belongs to an election once for each of the given elections. */
    Stream<String> exactNames(Set<String> elections) {
        return names.stream()
                .filter(known -> !known.contains(ANY_KEY))
                .map(known -> String.join(".", known))
                .flatMap(known -> known.contains(ANY_NAME)
                        ? elections.stream().map(election -> known.replace(ANY_NAME, election))
                        : Stream.of(known));
    }

    /** Whether there are properties below the given name. */
    boolean isGroup(ConfigurationPropertyName name) {
        return !children(name).isEmpty();
    }

    /** The names of the properties and groups that are directly below a name. */
    List<String> children(ConfigurationPropertyName name) {
        int position = name.getNumberOfElements();
        return names.stream()
                .filter(known -> known.size() > position && startsWith(known, name, position))
                .map(known -> known.get(position))
                .distinct()
                .toList();
    }

    private static boolean startsWith(List<String> known, ConfigurationPropertyName name, int elements) {
        for (int i = 0; i < elements; i++) {
            String element = known.get(i);
            if (!element.equals(ANY_NAME) && !uniform(element).equals(name.getElement(i, Form.UNIFORM))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the known name that is most similar to the given name, if any is similar enough. */
    Optional<String> nearest(ConfigurationPropertyName name) {
        String wanted = uniform(name.toString());
        int limit = Math.max(2, wanted.length() / 4);
        return names.stream()
                .filter(known -> !known.get(known.size() - 1).startsWith(ANY_NAME))
                .map(known -> withNameOfElection(known, name))
                .filter(known -> distance(wanted, uniform(known)) <= limit)
                .min(Comparator.comparingInt(known -> distance(wanted, uniform(known))));
    }

    private static String withNameOfElection(List<String> known, ConfigurationPropertyName name) {
        int position = known.indexOf(ANY_NAME);
        return position > 0 && position < name.getNumberOfElements()
                ? known.stream()
                        .map(element -> element.equals(ANY_NAME) ? name.getElement(position, Form.ORIGINAL) : element)
                        .collect(Collectors.joining("."))
                : String.join(".", known);
    }

    /** A property at the wrong level, such as {@code session-timeout} without {@code zookeeper}, counts as very near. */
    private static int distance(String wanted, String known) {
        return known.endsWith(wanted) && !known.equals(wanted) ? 1 : EditDistance.between(wanted, known);
    }

    private static String uniform(String name) {
        return name.replaceAll("[^\\p{L}\\p{N}]", "").toLowerCase(Locale.ROOT);
    }
}
