package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.List;

/** What an election wants done. */
public sealed interface Command {

    /** What a request is for; with its id, this decides what its reply means. */
    enum Purpose {
        CREATE,
        PARENT,
        BARRIER,
        LIST,
        RECORD,
        INHERITED_RECORD,
        OWN_NODE,
        PREDECESSOR,
        HEIR,
        FORMER_HEIR,
        NEXT,
        SUPERIOR,
        REQUEST,
        STAT,
        CLAIM,
        TAKE_OVER,
        APPOINT,
        RESTORE,
        DELETE,
        HAND_OVER,
        RELEASE,
        CLEAN_UP
    }

    record Send(Purpose purpose, long requestId, Request request) implements Command {}

    /**
     * Several reads in one packet, in this order; each is answered by itself.
     *
     * @param urgent whether they are sent at once; others may wait for reads of other elections and share their packet
     */
    record ReadTogether(List<Send> reads, boolean urgent) implements Command {}

    /** Ensure that a recent acknowledgement arrives. */
    record SendHeartbeat() implements Command {}

    /** Read that heartbeat again: its last sighting may be outdated. */
    record SightAgain(String heartbeat) implements Command {}

    /** Delete a node that this connection has created, unless another of its elections uses it. */
    record DeleteOrphan(String node) implements Command {}

    record WakeAt(long requestId, long nanos) implements Command {}

    /** Bring back {@link Event.Preempt} at that time. */
    record PreemptAt(String candidate, long nanos) implements Command {}

    /** A request that can wait until there is room for it. */
    record SendWhenThereIsRoom(Send send) implements Command {}

    /** Wake up once there is room for another candidate. */
    record WakeWhenThereIsRoom(long requestId) implements Command {}

    /** Delete what is left of an ended election. */
    record DeleteEndedElection() implements Command {}

    // notifications of the application

    record Granted(long term) implements Command {}

    /**
     * A term is over.
     *
     * @param endedAt when it ended, by the wall clock: a pause may delay the notice
     */
    record Revoked(long term, RevocationReason reason, long endedAt) implements Command {}

    /** The leadership was taken from a holder that had fallen silent. */
    record TookOver() implements Command {}

    /** The leadership was handed to a chosen candidate. */
    record Moved(Move move) implements Command {}

    /** Report back when listeners have heard of the term's end and leader-only work is done, or on timeout. */
    record Drain(long term) implements Command {}

    /** The candidate has left; unless confirmed, its node may live as long as its session. */
    record Left(boolean confirmed) implements Command {}

    record Ended() implements Command {}

    record Failed(ElectionException cause) implements Command {}
}
