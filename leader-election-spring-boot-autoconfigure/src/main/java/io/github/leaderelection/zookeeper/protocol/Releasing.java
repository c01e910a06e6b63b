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
        Departure next = departure;
        LeaderRecord written = null;
        if (record.heldBy(ownNode.name())) {
            written = LeaderRecord.released(record.token(reply.stat().getMzxid()), record.lease());
        } else if (record.state() == LeaderRecord.State.ENDED) {
            boolean endedMeanwhile = reply.stat().getMzxid() > ownNode.czxid();
            next = endedMeanwhile ? departure.ended(step) : departure;
            boolean ours = record.holder().equals(ownNode.name()) && !record.acknowledged();
            written = ours ? record.acknowledge() : null;
        }
        if (written == null) {
            Retiring.finish(step, next, true);
            return;
        }
        long requestId = step.nextRequestId();
        step.state = new Releasing(next, requestId);
        int version = reply.stat().getVersion();
        step.send(Purpose.RELEASE, requestId, new Request.Set(step.config.record(), written.toJson(), version));
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
