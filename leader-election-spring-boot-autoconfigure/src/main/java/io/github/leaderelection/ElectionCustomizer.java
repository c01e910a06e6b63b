package io.github.leaderelection;

/**
 * Customizes each election of an application before it is joined, including those opened at run time. Beans of this type
 * can add a listener to all elections.
 */
@FunctionalInterface
public interface ElectionCustomizer {

    void customize(Election election);

    /** Called after an election that was opened at run time has been closed and removed from the application. */
    default void closed(Election election) {}
}
