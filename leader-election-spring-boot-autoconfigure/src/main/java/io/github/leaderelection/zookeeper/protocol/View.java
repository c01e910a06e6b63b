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
 * @param grace how long before its end a leader stops to go by its lease, in milliseconds
 * @param heartbeat the path of this connection's heartbeat
 * @param heartbeatCzxid the zxid that created this heartbeat; a node that another client creates in its place has another one
 * @param led how many elections this connection leads
 * @param sightings the last sighting of another connection's heartbeat; null if one may have been missed
 * @param receiver where elections are spread, the candidate that should lead this one next, which counts as given from then
 *     on; null if that does not matter
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
        Function<String, @Nullable Sighting> sightings,
        Heirs heirs,
        Supplier<@Nullable String> receiver,
        Supplier<String> guids) {

    /** How long a leader leads without a renewal, given the lease in the record. */
    long validity(long granted) {
        long shorter = Math.min(granted, lease);
        return Math.max(1, shorter - Math.min(grace, shorter / 2));
    }
}
