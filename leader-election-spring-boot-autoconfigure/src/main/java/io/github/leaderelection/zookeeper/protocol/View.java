package io.github.leaderelection.zookeeper.protocol;

import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What an election sees of its connection and of the time while it handles an event.
 *
 * @param hasRoom whether another candidate may begin now, or has to wait
 * @param sessionTimeout the negotiated one, in milliseconds
 * @param lease this process's own lease, in milliseconds
 * @param heartbeat the path of this connection's heartbeat
 * @param observedHeartbeats when another connection's heartbeat was last seen, if none can have been missed since
 */
public record View(
        Moment now,
        boolean connected,
        boolean hasRoom,
        long session,
        long sessionTimeout,
        long lease,
        String heartbeat,
        Function<String, OptionalLong> observedHeartbeats,
        Supplier<String> guids) {}
