package io.github.leaderelection.zookeeper.protocol;

/**
 * The last observed change of another connection's heartbeat: the version that was read, and a time not before the
 * reply to that read. Every heartbeat up to that version was sent before that time.
 *
 * @param session the one that owns the heartbeat
 * @param at by the monotonic clock
 */
public record Sighting(int version, long session, long at) {}
