package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyErrors.describe;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.support.MisconfigurationException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/** Resolves the election that an annotation names. */
public final class ElectionResolver {

    private static final String DECLARE_ELECTION =
            "Declare an election. Its name is sufficient. In application.yml: leader-election.elections.orders:";

    private final Elections elections;
    private final StringValueResolver placeholders;
    /** The only election when the application starts; others may be opened later. */
    private final @Nullable String onlyElection;

    public ElectionResolver(Elections elections, StringValueResolver placeholders) {
        this.elections = elections;
        this.placeholders = placeholders;
        List<Election> all = elections.all();
        this.onlyElection = all.size() == 1 ? all.get(0).name() : null;
    }

    /** @throws MisconfigurationException if there is no such election */
    Election resolve(Method method, LeaderOnlyAttribute attribute) {
        return resolve(attribute.election(), "@LeaderOnly", describe(method));
    }

    /**
     * Resolves an election.
     *
     * @param value the name of the election in the annotation, which may be blank or contain placeholders
     * @param annotation the annotation, as error messages name it
     * @param element what is annotated, as error messages name it
     * @throws MisconfigurationException if there is no such election
     */
    public Election resolve(String value, String annotation, String element) {
        var usage = new Usage(annotation, element);
        String name = resolvePlaceholders(usage, value);
        if (!StringUtils.hasText(name)) {
            return onlyElection(usage);
        }
        return find(name).orElseThrow(() -> unknown(usage, name));
    }

    /** An annotation and the annotated element. */
    private record Usage(String annotation, String element) {}

    Optional<Election> find(String name) {
        return elections.all().stream()
                .filter(election -> election.name().equals(name))
                .findFirst();
    }

    private @Nullable String resolvePlaceholders(Usage usage, String name) {
        try {
            return placeholders.resolveStringValue(name);
        } catch (IllegalArgumentException unresolvable) {
            throw new MisconfigurationException(
                    "%s(\"%s\") on %s cannot be resolved: %s."
                            .formatted(usage.annotation(), name, usage.element(), unresolvable.getMessage()),
                    "Set the property, or add a default to the placeholder: ${name:default}.",
                    unresolvable);
        }
    }

    private Election onlyElection(Usage usage) {
        List<Election> all = elections.all();
        return Optional.ofNullable(onlyElection)
                .flatMap(this::find)
                .or(() -> all.size() == 1 ? Optional.of(all.get(0)) : Optional.empty())
                .orElseThrow(() -> unnamed(usage, all));
    }

    private static MisconfigurationException unnamed(Usage usage, List<Election> all) {
        return new MisconfigurationException(
                "%s on %s does not name an election, and there %s."
                        .formatted(usage.annotation(), usage.element(), known(all)),
                all.isEmpty()
                        ? DECLARE_ELECTION
                        : "Name one of them: %s(\"%s\")."
                                .formatted(usage.annotation(), all.get(0).name()));
    }

    private MisconfigurationException unknown(Usage usage, String name) {
        List<Election> all = elections.all();
        return new MisconfigurationException(
                "%s(\"%s\") on %s names an election that is not configured; there %s."
                        .formatted(usage.annotation(), name, usage.element(), known(all)),
                all.isEmpty()
                        ? DECLARE_ELECTION
                        : "Correct the name, or declare the election: leader-election.elections.%s".formatted(name));
    }

    private static String known(List<Election> all) {
        List<String> names = all.stream().map(Election::name).toList();
        return switch (names.size()) {
            case 0 -> "is none";
            case 1 -> "is only '%s'".formatted(names.get(0));
            default -> "are " + names;
        };
    }
}
