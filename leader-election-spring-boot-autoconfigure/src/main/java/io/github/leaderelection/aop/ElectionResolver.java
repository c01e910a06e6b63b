package io.github.leaderelection.aop;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.support.MisconfigurationException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/** Finds the election that a leader-only method belongs to, or says what is wrong with its name. */
final class ElectionResolver {

    private final Elections elections;
    private final StringValueResolver placeholders;
    /** The name of the only election, if there is but one when the application starts; others may be opened later. */
    private final @Nullable String only;

    ElectionResolver(Elections elections, StringValueResolver placeholders) {
        this.elections = elections;
        this.placeholders = placeholders;
        List<Election> all = elections.all();
        this.only = all.size() == 1 ? all.get(0).name() : null;
    }

    Election find(Method method, LeaderOnlyAttribute rule) {
        String name = resolve(method, rule.election());
        List<Election> all = elections.all();
        if (!StringUtils.hasText(name)) {
            return theOnly(method, all);
        }
        return named(name).orElseThrow(() -> unknown(method, name, all));
    }

    Optional<Election> named(String name) {
        return elections.all().stream()
                .filter(election -> election.name().equals(name))
                .findFirst();
    }

    private @Nullable String resolve(Method method, String name) {
        try {
            return placeholders.resolveStringValue(name);
        } catch (IllegalArgumentException unresolvable) {
            throw new MisconfigurationException(
                    "@LeaderOnly(\"%s\") on %s cannot be resolved: %s."
                            .formatted(name, LeaderOnlyMethodFinder.describe(method), unresolvable.getMessage()),
                    "Set the property, or give the placeholder a default: ${name:default}.",
                    unresolvable);
        }
    }

    private Election theOnly(Method method, List<Election> all) {
        return Optional.ofNullable(only)
                .flatMap(this::named)
                .or(() -> all.size() == 1 ? Optional.of(all.get(0)) : Optional.empty())
                .orElseThrow(() -> unnamed(method, all));
    }

    private static MisconfigurationException unnamed(Method method, List<Election> all) {
        return new MisconfigurationException(
                "@LeaderOnly on %s does not name an election, and there %s."
                        .formatted(LeaderOnlyMethodFinder.describe(method), known(all)),
                all.isEmpty()
                        ? DECLARE
                        : "Name one of them: @LeaderOnly(\"%s\")."
                                .formatted(all.get(0).name()));
    }

    private static MisconfigurationException unknown(Method method, @Nullable String name, List<Election> all) {
        return new MisconfigurationException(
                "@LeaderOnly(\"%s\") on %s names an election that is not configured; there %s."
                        .formatted(name, LeaderOnlyMethodFinder.describe(method), known(all)),
                all.isEmpty()
                        ? DECLARE
                        : "Correct the name, or declare the election: leader-election.elections.%s".formatted(name));
    }

    private static final String DECLARE =
            "Declare an election; its name alone will do. In application.yml: leader-election.elections.orders:";

    private static String known(List<Election> all) {
        List<String> names = all.stream().map(Election::name).toList();
        return switch (names.size()) {
            case 0 -> "is none";
            case 1 -> "is only '%s'".formatted(names.get(0));
            default -> "are " + names;
        };
    }
}
