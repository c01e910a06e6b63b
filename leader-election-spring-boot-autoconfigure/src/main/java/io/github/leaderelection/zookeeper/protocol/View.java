package io.github.leaderelection.zookeeper.protocol;

import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What an election sees of its connection and of the time while it handles a signal.
 *
 * @param hasRoom whether another candidate may begin now; if not, it is to wait for its turn
 * @param sessionTimeout the negotiated one, in milliseconds
 * @param lease this process's own lease, in milliseconds
 * @param heartbeat the path of this connection's beat
 * @param observedHeartbeats when another connection's beat was last seen, if none can have been missed since
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
