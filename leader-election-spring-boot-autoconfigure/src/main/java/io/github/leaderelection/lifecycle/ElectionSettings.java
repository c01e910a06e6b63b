package io.github.leaderelection.lifecycle;

/**
 * An election as it was configured.
 *
 * @param participate whether this instance is nominated
 * @param observe whether it is told who leads
 */
public record ElectionSettings(String name, String path, boolean participate, boolean observe) {}
