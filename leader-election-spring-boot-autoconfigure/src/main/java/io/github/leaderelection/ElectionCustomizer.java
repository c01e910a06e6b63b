package io.github.leaderelection;

/**
 * Called with every election of an application before it is joined, those opened at run time included: the place to add
 * a listener to all of them.
 */
@FunctionalInterface
public interface ElectionCustomizer {

    void customize(Election election);

    /** The election was closed, and is not among the application's elections any more; only where opened at run time. */
    default void closed(Election election) {}
}
