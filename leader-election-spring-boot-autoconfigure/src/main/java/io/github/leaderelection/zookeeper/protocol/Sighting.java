package io.github.leaderelection.zookeeper.protocol;

/**
 * The last time at which another connection's heartbeat was seen to move: the version that was read, and a moment that is not
 * before the answer to that read. Every heartbeat up to that version was sent before that moment.
 *
 * @param session the one that owns the heartbeat
 * @param at by the monotonic clock
 */
public record Sighting(int version, long session, long at) {}
