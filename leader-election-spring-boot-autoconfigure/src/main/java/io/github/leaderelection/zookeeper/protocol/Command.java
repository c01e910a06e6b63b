package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.List;

/** What an election wants done. */
public sealed interface Command {

    /** What a request is about; with the flight it tells whether its answer is still waited for. */
    enum Purpose {
        CREATE,
        PATH,
        SETTLE,
        LIST,
        RECORD,
        OWN,
        PREDECESSOR,
        STAT,
        CLAIM,
        DELETE,
        HAND_OVER,
        RELEASE,
        CLEAN_UP
    }

    record Send(Purpose purpose, long requestId, Request request) implements Command {}

    /**
     * Several reads in one packet, in this order; each of them is answered by itself.
     *
     * @param urgent whether they go at once; others may wait for those of other elections, and go along with them
     */
    record SendTogether(List<Send> reads, boolean urgent) implements Command {}

    /** A recent acknowledgement is needed: see to it that one comes. */
    record Heartbeat() implements Command {}

    /** The beat's node was not there: make it again. */
    record CreateHeartbeat() implements Command {}

    record Wake(long requestId, long nanos) implements Command {}

    /** Wake up once nothing else has been under way on the connection for a moment. */
    record WakeWhenIdle(long requestId) implements Command {}

    /** The same, for a request that is of use whatever happens meanwhile. */
    record SendWhenIdle(Send send) implements Command {}

    /** Wake up once there is room for another candidate. */
    record WakeWhenThereIsRoom(long requestId) implements Command {}

    /** Delete what is left of an ended election. */
    record Clear() implements Command {}

    /** What is to be told about the election. */
    sealed interface News extends Command {
        void tell(ElectionCallbacks callbacks);
    }

    record Granted(long term) implements News {
        @Override
        public void tell(ElectionCallbacks callbacks) {
            callbacks.granted(term);
        }
    }

    record Revoked(long term, RevocationReason reason) implements News {
        @Override
        public void tell(ElectionCallbacks callbacks) {
            callbacks.revoked(term, reason);
        }
    }

    /** Signal when the revocation was delivered and leader-only work has ended, or the time for that is over. */
    record Drain(long term) implements News {
        @Override
        public void tell(ElectionCallbacks callbacks) {
            callbacks.drain(term);
        }
    }

    /** The candidate has left; unless confirmed, its node may live as long as its session. */
    record Left(boolean confirmed) implements News {
        @Override
        public void tell(ElectionCallbacks callbacks) {
            callbacks.left(confirmed);
        }
    }

    record Ended() implements News {
        @Override
        public void tell(ElectionCallbacks callbacks) {
            callbacks.ended();
        }
    }

    record Failed(ElectionException cause) implements News {
        @Override
        public void tell(ElectionCallbacks callbacks) {
            callbacks.failed(cause);
        }
    }
}
