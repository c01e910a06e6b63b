package io.github.leaderelection.aop;

import io.github.leaderelection.Election;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ManagedElection;
import java.util.Optional;
import java.util.function.Function;

/** Refers to the election of a method. An election that was closed and opened again is another object. */
final class ElectionReference {

    private record Target(Election election, ManagedElection managed, InvocationMonitor.MethodMonitor monitor) {}

    private final Function<String, Optional<Election>> finder;
    private final Function<Election, InvocationMonitor.MethodMonitor> monitors;
    private volatile Target target;

    ElectionReference(
            Election election,
            Function<String, Optional<Election>> finder,
            Function<Election, InvocationMonitor.MethodMonitor> monitors) {
        this.finder = finder;
        this.monitors = monitors;
        this.target = target(election);
    }

    private Target target(Election election) {
        return new Target(election, ManagedElection.of(election), monitors.apply(election));
    }

    ManagedElection election() {
        return target.managed();
    }

    InvocationMonitor.MethodMonitor monitor() {
        return target.monitor();
    }

    /** Replaces a closed election with the election of its name that was opened since; returns whether there is one. */
    boolean refresh() {
        Election closed = target.election();
        if (closed.role() != Role.CLOSED) {
            return false;
        }
        Optional<Election> reopened = finder.apply(closed.name()).filter(other -> other != closed);
        reopened.ifPresent(election -> target = target(election));
        return reopened.isPresent();
    }
}
