package io.github.leaderelection;

import java.util.List;

/** All elections of an application. */
public interface Elections {

    /**
     * The election of that name.
     *
     * @throws IllegalArgumentException if there is none; it names those that there are
     */
    Election get(String name);

    /** The configured elections, in the order in which they were configured, and those opened since. */
    List<Election> all();

    /**
     * Opens an election that is known only at run time, such as a shard's or a tenant's, with the settings of all others
     * and the path {@code <root>/<name>}. It is joined as soon as the application is ready. Close it when it is no longer
     * needed. Asked again while it is open, this is the same object.
     *
     * @throws IllegalArgumentException if the name is not usable
     * @throws ElectionConnectionException if there has been no usable connection yet (unless {@code fail-fast=false})
     */
    Election open(String name);
}
