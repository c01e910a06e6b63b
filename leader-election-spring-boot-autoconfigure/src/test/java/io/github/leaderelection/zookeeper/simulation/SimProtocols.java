package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.AwaitingLeaseEnd;
import io.github.leaderelection.zookeeper.protocol.CandidateNode;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Evaluating;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Moment;
import io.github.leaderelection.zookeeper.protocol.Queued;
import io.github.leaderelection.zookeeper.protocol.Sighting;
import io.github.leaderelection.zookeeper.protocol.State;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import io.github.leaderelection.zookeeper.protocol.View;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** What the mutations have in common: protocols, clients and states that differ in one respect. */
final class SimProtocols {

    private SimProtocols() {}

    /** Replaces the protocol, separately for each process, since a mutation may have a state. */
    static SimMutation protocol(UnaryOperator<StateMachine> change) {
        return new SimMutation() {
            @Override
            public StateMachine protocol(StateMachine protocol, SimHost host) {
                return change.apply(protocol);
            }
        };
    }

    static AsyncClient watchesKept(boolean keepsWatches, AsyncClient client) {
        return new AsyncClient() {
            @Override
            public void send(Request request, Consumer<Reply> answer) {
                client.send(request, answer);
            }

            @Override
            public boolean keepsWatches() {
                return keepsWatches;
            }
        };
    }

    interface RecordChange {
        LeaderRecord apply(LeaderRecord record, ElectionState election, View view);
    }

    /** Changes what the protocol reads in the record. */
    static StateMachine records(StateMachine protocol, RecordChange change) {
        return (election, event, view) -> {
            if (event instanceof Event.Replied replied
                    && isAnswer(event, Purpose.RECORD)
                    && replied.reply().ok()
                    && (election.state() instanceof Evaluating || election.state() instanceof AwaitingLeaseEnd)) {
                Reply reply = replied.reply();
                byte[] data = LeaderRecord.parse(reply.data())
                        .map(record -> change.apply(record, election, view).toJson())
                        .orElse(reply.data());
                Event changed = new Event.Replied(replied.to(), Reply.data(data, reply.stat()));
                return protocol.apply(election, changed, view);
            }
            return protocol.apply(election, event, view);
        };
    }

    /** Changes the answers of that purpose. */
    static StateMachine answers(StateMachine protocol, Purpose purpose, BiFunction<Reply, View, Reply> change) {
        return (election, event, view) -> event instanceof Event.Replied replied && isAnswer(event, purpose)
                ? protocol.apply(election, new Event.Replied(replied.to(), change.apply(replied.reply(), view)), view)
                : protocol.apply(election, event, view);
    }

    /** A transaction without those parts. */
    static Request without(Request request, Predicate<Request> left) {
        return new Request.Multi(
                ((Request.Multi) request).parts().stream().filter(left.negate()).toList());
    }

    static boolean isOfHeartbeat(Request request) {
        return request.path().startsWith(Simulation.HEARTBEATS);
    }

    /** The reply of a transaction as if it had rewritten the heartbeat. */
    static Reply asIfBeaten(Reply reply, View view) {
        return reply.ok() ? withCzxid(reply, view.heartbeatCzxid()) : reply;
    }

    static Reply withCzxid(Reply reply, long czxid) {
        Stat stat = reply.stat();
        return Reply.stat(new Stat(
                czxid,
                stat.getMzxid(),
                stat.getCtime(),
                stat.getMtime(),
                stat.getVersion(),
                stat.getCversion(),
                stat.getAversion(),
                stat.getEphemeralOwner(),
                stat.getDataLength(),
                stat.getNumChildren(),
                stat.getPzxid()));
    }

    /** Changes what the protocol sends. */
    static StateMachine commands(StateMachine protocol, Purpose purpose, UnaryOperator<Request> change) {
        return (election, event, view) -> mapped(
                protocol.apply(election, event, view),
                command -> command instanceof Command.Send send && send.purpose() == purpose
                        ? new Command.Send(purpose, send.requestId(), change.apply(send.request()))
                        : command);
    }

    static StateMachine.Outcome mapped(StateMachine.Outcome outcome, UnaryOperator<Command> change) {
        return new StateMachine.Outcome(
                outcome.election(), outcome.commands().stream().map(change).toList());
    }

    static Request anyVersion(Request request) {
        List<Request> parts = new ArrayList<>();
        for (Request part : ((Request.Multi) request).parts()) {
            parts.add(part instanceof Request.Set set ? new Request.Set(set.path(), set.data(), -1) : part);
        }
        return new Request.Multi(parts);
    }

    static boolean isAnswer(Event event, Purpose purpose) {
        return event instanceof Event.Replied replied && replied.to().purpose() == purpose;
    }

    static @Nullable Moment provenAt(State state) {
        return state instanceof Queued queued ? queued.ownNode().provenAt() : null;
    }

    static State ownNode(State state, UnaryOperator<CandidateNode> change) {
        return state instanceof Queued queued ? queued.with(change.apply(queued.ownNode())) : state;
    }

    static ElectionState election(ElectionState election, State state) {
        return new ElectionState(
                election.config(),
                state,
                election.lastRequestId(),
                election.terms(),
                election.heard(),
                election.formerNode(),
                election.queueWatched(),
                election.failures(),
                election.error());
    }

    static StateMachine.Outcome with(StateMachine.Outcome outcome, State state) {
        return new StateMachine.Outcome(election(outcome.election(), state), outcome.commands());
    }

    static StateMachine.Outcome with(StateMachine.Outcome outcome, UnaryOperator<State> change) {
        return with(outcome, change.apply(outcome.election().state()));
    }

    static StateMachine.Outcome then(StateMachine.Outcome first, StateMachine.Outcome second) {
        List<Command> commands = new ArrayList<>(first.commands());
        commands.addAll(second.commands());
        return new StateMachine.Outcome(second.election(), commands);
    }

    static View at(View view, Moment now) {
        return view(view, now, view.sightings());
    }

    static View withSightings(View view, Function<String, @Nullable Sighting> sightings) {
        return view(view, view.now(), sightings);
    }

    static View view(View view, Moment now, Function<String, @Nullable Sighting> sightings) {
        return new View(
                now,
                view.connected(),
                view.hasRoom(),
                view.session(),
                view.sessionTimeout(),
                view.lease(),
                view.grace(),
                view.heartbeat(),
                view.heartbeatCzxid(),
                view.led(),
                view.serverAhead(),
                sightings,
                view.heirs(),
                view.receiver(),
                view.guids());
    }
}
