package io.github.leaderelection.lifecycle;

/**
 * The settings of one election.
 *
 * @param participate whether this instance is nominated
 * @param observe whether events are published when the leader changes
 */
public record ElectionSettings(String name, String path, boolean participate, boolean observe) {}
