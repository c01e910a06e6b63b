package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.List;

/** What an election wants done. */
public sealed interface Command {

    void execute(Target target);

    /** Carries out the commands of one election. */
    interface Target {

        ElectionCallbacks callbacks();

        void send(Send request);

        void readTogether(List<Send> reads, boolean urgent);

        void sendHeartbeat();

        void sightAgain(String heartbeat);

        void deleteOrphan(String node);

        void wakeAt(long requestId, long nanos);

        void preemptAt(String candidate, long nanos);

        void sendWhenThereIsRoom(Send request);

        void wakeWhenThereIsRoom(long requestId);

        void deleteEndedElection();
    }

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
        NEXT,
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

    record Send(Purpose purpose, long requestId, Request request) implements Command {
        @Override
        public void execute(Target target) {
            target.send(this);
        }
    }

    /**
     * Several reads in one packet, in this order; each is answered by itself.
     *
     * @param urgent whether they go at once; others may wait for those of other elections, and share a packet with them
     */
    record ReadTogether(List<Send> reads, boolean urgent) implements Command {
        @Override
        public void execute(Target target) {
            target.readTogether(reads, urgent);
        }
    }

    /** A recent acknowledgement is needed: make sure that one comes. */
    record SendHeartbeat() implements Command {
        @Override
        public void execute(Target target) {
            target.sendHeartbeat();
        }
    }

    /** What was seen of that heartbeat no longer counts. */
    record SightAgain(String heartbeat) implements Command {
        @Override
        public void execute(Target target) {
            target.sightAgain(heartbeat);
        }
    }

    /** Delete a node that this connection has created, unless another of its elections uses it. */
    record DeleteOrphan(String node) implements Command {
        @Override
        public void execute(Target target) {
            target.deleteOrphan(node);
        }
    }

    record WakeAt(long requestId, long nanos) implements Command {
        @Override
        public void execute(Target target) {
            target.wakeAt(requestId, nanos);
        }
    }

    /** Bring back {@link Event.Preempt} at that time. */
    record PreemptAt(String candidate, long nanos) implements Command {
        @Override
        public void execute(Target target) {
            target.preemptAt(candidate, nanos);
        }
    }

    /** A request that can wait until there is room for it. */
    record SendWhenThereIsRoom(Send send) implements Command {
        @Override
        public void execute(Target target) {
            target.sendWhenThereIsRoom(send);
        }
    }

    /** Wake up once there is room for another candidate. */
    record WakeWhenThereIsRoom(long requestId) implements Command {
        @Override
        public void execute(Target target) {
            target.wakeWhenThereIsRoom(requestId);
        }
    }

    /** Delete what is left of an ended election. */
    record DeleteEndedElection() implements Command {
        @Override
        public void execute(Target target) {
            target.deleteEndedElection();
        }
    }

    // what the application hears

    record Granted(long term) implements Command {
        @Override
        public void execute(Target target) {
            target.callbacks().granted(term);
        }
    }

    /**
     * A term is over.
     *
     * @param endedAt when it ended, by the wall clock: a pause may delay the notice
     */
    record Revoked(long term, RevocationReason reason, long endedAt) implements Command {
        @Override
        public void execute(Target target) {
            target.callbacks().revoked(term, reason, endedAt);
        }
    }

    /** The leadership was taken from a holder that had fallen silent. */
    record TookOver() implements Command {
        @Override
        public void execute(Target target) {
            target.callbacks().tookOver();
        }
    }

    /** The leadership was handed to a candidate that was chosen. */
    record Moved(Move move) implements Command {
        @Override
        public void execute(Target target) {
            target.callbacks().moved(move);
        }
    }

    /** Report back when listeners have heard of the term's end and leader-only work is done, or the time for that is over. */
    record Drain(long term) implements Command {
        @Override
        public void execute(Target target) {
            target.callbacks().drain(term);
        }
    }

    /** The candidate has left; unless confirmed, its node may live as long as its session. */
    record Left(boolean confirmed) implements Command {
        @Override
        public void execute(Target target) {
            target.callbacks().left(confirmed);
        }
    }

    record Ended() implements Command {
        @Override
        public void execute(Target target) {
            target.callbacks().ended();
        }
    }

    record Failed(ElectionException cause) implements Command {
        @Override
        public void execute(Target target) {
            target.callbacks().failed(cause);
        }
    }
}
