package io.github.leaderelection;

import java.util.List;

/** The elections of an application. */
public interface Elections {

    /**
     * Returns the election with the given name.
     *
     * @throws IllegalArgumentException if there is none; the message lists the existing ones
     */
    Election get(String name);

    /** Returns the configured elections in the order of the configuration, followed by those opened since. */
    List<Election> all();

    /**
     * Opens an election that is known only at run time, such as that of a shard or a tenant, with the same settings as the
     * others and the path {@code <root>/<name>}. It is joined as soon as the application is ready, and should be closed when
     * it is no longer needed. Returns the same object as long as it is open.
     *
     * @throws IllegalArgumentException if the name is invalid
     * @throws ElectionConnectionException if no connection has been established yet, unless {@code fail-fast=false}
     */
    Election open(String name);
}
