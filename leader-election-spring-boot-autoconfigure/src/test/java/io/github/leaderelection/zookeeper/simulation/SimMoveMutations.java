package io.github.leaderelection.zookeeper.simulation;

import static io.github.leaderelection.zookeeper.simulation.SimProtocols.commands;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.election;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.protocol;

import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Holding;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.ArrayList;
import java.util.List;

/** The rules of priorities and spreading, each removed on its own. */
final class SimMoveMutations {

    private SimMoveMutations() {}

    /** R39: A term that a client has asked for is left alone by priorities and spreading; here it is moved like others. */
    static SimMutation movesRequestedTerms() {
        return protocol(protocol -> (election, event, view) -> {
            boolean move = event instanceof Event.Spread || event instanceof Event.Preempt;
            return protocol.apply(
                    move && election.state() instanceof Leading leading
                            ? election(election, notRequested(leading))
                            : election,
                    event,
                    view);
        });
    }

    private static Leading notRequested(Leading leading) {
        Holding holding = leading.holding();
        return new Leading(
                leading.ownNode(),
                leading.requestId(),
                new Holding(holding.version(), holding.token(), holding.lease(), holding.heir(), false),
                leading.succession(),
                leading.lease(),
                leading.term(),
                leading.since());
    }

    /** R39: The leader that hands over by request marks the new term in the record; here it does not. */
    static SimMutation requestedTermUnmarked() {
        return protocol(protocol -> commands(protocol, Purpose.HAND_OVER, SimMoveMutations::withoutMark));
    }

    private static Request withoutMark(Request request) {
        List<Request> parts = new ArrayList<>();
        for (Request part : ((Request.Multi) request).parts()) {
            parts.add(
                    part instanceof Request.Set set && set.path().endsWith("/" + LeaderRecord.NODE)
                            ? new Request.Set(set.path(), withoutMark(set.data()), set.version())
                            : part);
        }
        return new Request.Multi(parts);
    }

    private static byte[] withoutMark(byte[] record) {
        return LeaderRecord.parse(record)
                .map(parsed -> parsed.requested(false).toJson())
                .orElse(record);
    }
}
