package io.github.leaderelection.zookeeper.protocol;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an election sees of its connection and of the time while it handles an event.
 *
 * @param hasRoom whether another candidate may begin now, or has to wait
 * @param sessionTimeout the negotiated one, in milliseconds
 * @param lease this process's own lease, in milliseconds
 * @param grace how long before the end of its lease a leader stops leading, in milliseconds
 * @param heartbeat the path of this connection's heartbeat
 * @param heartbeatCzxid the zxid that created this heartbeat; a replacement by another client has a different one
 * @param led how many elections this connection leads
 * @param serverAhead how far the server's wall clock is ahead of ours, as the last heartbeat has shown, in milliseconds
 * @param sightings the last sighting of another connection's heartbeat; null if one may have been missed
 * @param receiver with spreading, the candidate that should lead this election next, each call counting it as given;
 *     null if that does not matter
 */
public record View(
        Moment now,
        boolean connected,
        boolean hasRoom,
        long session,
        long sessionTimeout,
        long lease,
        long grace,
        String heartbeat,
        long heartbeatCzxid,
        int led,
        long serverAhead,
        Function<String, @Nullable Sighting> sightings,
        Heirs heirs,
        Supplier<@Nullable String> receiver,
        Supplier<String> guids) {

    /** How long ago that was by the server's wall clock, or a little less. */
    long millisSince(long serverMillis) {
        return now.millis() + serverAhead - serverMillis;
    }

    /** How long a leader leads without a renewal, given the lease in the record. */
    long validity(long granted) {
        long shorter = Math.min(granted, lease);
        return Math.max(1, shorter - Math.min(grace, shorter / 2));
    }
}
