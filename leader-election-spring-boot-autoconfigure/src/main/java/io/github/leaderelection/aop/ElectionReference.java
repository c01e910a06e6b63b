package io.github.leaderelection.aop;

import io.github.leaderelection.Election;
import io.github.leaderelection.Role;
import java.util.Optional;
import java.util.function.Function;

/** The election that guards a method. One that was closed and opened again is another object, and takes its place. */
final class ElectionReference {

    private record Binding(Election election, InvocationMonitor.Calls calls) {}

    private final Function<String, Optional<Election>> byName;
    private final Function<Election, InvocationMonitor.Calls> watch;
    private volatile Binding binding;

    ElectionReference(
            Election election,
            Function<String, Optional<Election>> byName,
            Function<Election, InvocationMonitor.Calls> watch) {
        this.byName = byName;
        this.watch = watch;
        this.binding = bind(election);
    }

    private Binding bind(Election election) {
        return new Binding(election, watch.apply(election));
    }

    Election election() {
        return binding.election();
    }

    InvocationMonitor.Calls calls() {
        return binding.calls();
    }

    /** Turns to the one that has taken the place of a closed election; says whether there is one. */
    boolean renew() {
        Election old = election();
        Optional<Election> successor =
                old.role() == Role.CLOSED ? byName.apply(old.name()).filter(other -> other != old) : Optional.empty();
        successor.ifPresent(election -> binding = bind(election));
        return successor.isPresent();
    }
}
