package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;

/** The own node is gone, but the record still names it: it is released, so that no candidate waits for that lease. */
public record Releasing(Departure departure, long requestId) implements Leaving {

    /** @param reply the record, read after our node was deleted */
    static void begin(Step step, Departure departure, Reply reply) {
        CandidateNode ownNode = departure.ownNode();
        LeaderRecord record = LeaderRecord.parse(reply.data()).orElse(null);
        if (ownNode == null || record == null) {
            Retiring.finish(step, departure, true);
            return;
        }
        if (departure.movesTo(record.holder())) {
            departure.reportMove(step);
        }
        int version = reply.stat().getVersion();
        if (record.heldBy(ownNode.name())) {
            long token = record.token(reply.stat().getMzxid());
            write(step, departure, LeaderRecord.released(token, record.lease()), version);
        } else if (record.state() == LeaderRecord.State.ENDED) {
            boolean endedMeanwhile = reply.stat().getMzxid() > ownNode.czxid();
            Departure ending = endedMeanwhile ? announceEnd(step, departure) : departure;
            if (record.holder().equals(ownNode.name()) && !record.acknowledged()) {
                write(step, ending, record.acknowledge(), version);
            } else {
                Retiring.finish(step, ending, true);
            }
        } else {
            Retiring.finish(step, departure, true);
        }
    }

    private static Departure announceEnd(Step step, Departure departure) {
        if (departure.then() == AfterLeaving.END || departure.then() == AfterLeaving.CLEAR) {
            return departure;
        }
        step.emit(new Command.Ended());
        return departure.then(AfterLeaving.END);
    }

    private static void write(Step step, Departure departure, LeaderRecord record, int version) {
        long requestId = step.nextRequestId();
        step.state = new Releasing(departure, requestId);
        step.send(Purpose.RELEASE, requestId, new Request.Set(step.config.record(), record.toJson(), version));
    }

    @Override
    public Releasing with(Departure departure) {
        return new Releasing(departure, requestId);
    }

    /** If the write is refused, the next leader waits for the lease; nothing more can be done. */
    @Override
    public void replied(Step step, Command.Send to, Reply reply) {
        if (!reply.ambiguous()) {
            Retiring.finish(step, departure, true);
        }
    }
}
