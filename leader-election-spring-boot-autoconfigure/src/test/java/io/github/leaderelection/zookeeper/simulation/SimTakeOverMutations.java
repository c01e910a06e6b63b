package io.github.leaderelection.zookeeper.simulation;

import static io.github.leaderelection.zookeeper.simulation.SimProtocols.answers;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.commands;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.election;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.isOfHeartbeat;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.ownNode;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.protocol;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.records;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.with;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.withSightings;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.without;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.Draining;
import io.github.leaderelection.zookeeper.protocol.Evaluating;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Following;
import io.github.leaderelection.zookeeper.protocol.Holding;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Predecessor;
import io.github.leaderelection.zookeeper.protocol.Queued;
import io.github.leaderelection.zookeeper.protocol.Sighting;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import io.github.leaderelection.zookeeper.protocol.View;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongBiFunction;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/** The rules of succession and take-over, each removed on its own. */
final class SimTakeOverMutations {

    private SimTakeOverMutations() {}

    // tokens

    /** R25: The token comes from the record; here it is the czxid of the leader's node. */
    static SimMutation tokenOfTheNode() {
        return protocol(protocol -> (election, event, view) -> {
            StateMachine.Outcome outcome = protocol.apply(election, event, view);
            if (outcome.election().state() instanceof Leading leading) {
                Holding holding = leading.holding();
                return with(
                        outcome,
                        new Leading(
                                leading.ownNode(),
                                leading.requestId(),
                                new Holding(
                                        holding.version(),
                                        leading.ownNode().czxid(),
                                        holding.lease(),
                                        holding.heir(),
                                        holding.requested()),
                                leading.succession(),
                                leading.lease(),
                                leading.term(),
                                leading.since()));
            }
            return outcome;
        });
    }

    // the transaction

    private static SimMutation takeOverWithout(Predicate<Request> part) {
        return protocol(protocol -> commands(protocol, Purpose.TAKE_OVER, request -> without(request, part)));
    }

    /** R30: The take-over checks that the heartbeat still has the version that was sighted; here it does not. */
    static SimMutation takeOverWithoutSightedVersion() {
        return takeOverWithout(part -> part instanceof Request.Check && isOfHeartbeat(part));
    }

    /** R31: The take-over deletes the holder's node; here it does not. */
    static SimMutation takeOverWithoutDeletion() {
        return takeOverWithout(Request.Delete.class::isInstance);
    }

    /** R32: The take-over compares the record's version; here it does not. */
    static SimMutation takeOverWithoutRecordVersion() {
        return protocol(protocol -> commands(protocol, Purpose.TAKE_OVER, SimProtocols::anyVersion));
    }

    /** R33: The take-over rewrites the own heartbeat, so that the next heir sees it; here it does not. */
    static SimMutation takeOverWithoutBeat() {
        return protocol(protocol -> commands(
                answers(protocol, Purpose.TAKE_OVER, SimProtocols::asIfBeaten),
                Purpose.TAKE_OVER,
                request -> without(request, part -> part instanceof Request.Set && isOfHeartbeat(part))));
    }

    /** The take-over checks that the own node exists; here it does not. Not found, see {@link SimulationMutationTests}. */
    static SimMutation takeOverWithoutOwnNode() {
        return takeOverWithout(part -> part instanceof Request.Check && !isOfHeartbeat(part));
    }

    // the sighting

    /** R29: Version and time of a sighting come from one read; here the version is read when the wait is over. */
    static SimMutation versionReadAtTheEnd() {
        return new SimMutation() {
            @Override
            public AsyncClient client(AsyncClient client, SimHost host) {
                return SimProtocols.watchesKept(
                        client.keepsWatches(), (request, answer) -> afterReadingTheVersion(client, request, answer));
            }
        };
    }

    private static void afterReadingTheVersion(AsyncClient client, Request request, Consumer<Reply> answer) {
        if (request instanceof Request.Multi multi
                && multi.parts().get(0) instanceof Request.Check check
                && isOfHeartbeat(check)) {
            client.send(new Request.Get(check.path(), false), read -> {
                var parts = new ArrayList<>(multi.parts());
                parts.set(
                        0,
                        read.ok() ? new Request.Check(check.path(), read.stat().getVersion()) : check);
                client.send(new Request.Multi(parts), answer);
            });
        } else {
            client.send(request, answer);
        }
    }

    /** R29: The wait counts from the answer to the read; here from its sending. */
    static SimMutation sightingFromTheSending() {
        return new SimMutation() {
            private final Map<SimHost, Map<String, Sighting>> sent = new HashMap<>();

            @Override
            public AsyncClient client(AsyncClient client, SimHost host) {
                Map<String, Sighting> reads = sent.computeIfAbsent(host, each -> new HashMap<>());
                return SimProtocols.watchesKept(client.keepsWatches(), (request, answer) -> {
                    if (request instanceof Request.Get && isOfHeartbeat(request)) {
                        long at = host.clock().nanos();
                        client.send(request, reply -> {
                            reads.put(request.path(), new Sighting(reply.stat().getVersion(), 0, at));
                            answer.accept(reply);
                        });
                    } else {
                        client.send(request, answer);
                    }
                });
            }

            @Override
            public StateMachine protocol(StateMachine protocol, SimHost host) {
                Map<String, Sighting> reads = sent.computeIfAbsent(host, each -> new HashMap<>());
                return (election, event, view) -> protocol.apply(
                        election, event, withSightings(view, heartbeat -> earlier(view, reads, heartbeat)));
            }

            private @Nullable Sighting earlier(View view, Map<String, Sighting> reads, String heartbeat) {
                Sighting seen = view.sightings().apply(heartbeat);
                Sighting read = reads.get(heartbeat);
                return seen != null && read != null && read.version() == seen.version()
                        ? new Sighting(seen.version(), seen.session(), read.at())
                        : seen;
            }
        };
    }

    /** R29: An heir waits for the lease in the record; here for its own. */
    static SimMutation takeOverAfterOwnLease() {
        return inheriting((record, view) -> view.lease());
    }

    /** R29: An heir waits for 1.1 leases, since the rates of clocks differ; here for one. */
    static SimMutation takeOverWithoutMargin() {
        return inheriting((record, view) -> record.lease() * 10 / 11);
    }

    private static SimMutation inheriting(ToLongBiFunction<LeaderRecord, View> lease) {
        return protocol(protocol -> records(protocol, (record, election, view) -> {
            boolean heir = election.state() instanceof Evaluating evaluating
                    && record.heir().equals(evaluating.ownNode().name())
                    && evaluating.reads().queue() != null
                    && evaluating.reads().queue().contains(record.holder());
            return heir
                    ? LeaderRecord.held(record.holder(), record.heir(), record.token(), lease.applyAsLong(record, view))
                    : record;
        }));
    }

    /** The holder in the record is the one whose heartbeat was sighted; here the first one that was ever followed as an heir. */
    static SimMutation takeOverByAnothersSilence() {
        return protocol(protocol -> {
            Map<String, Predecessor> first = new HashMap<>();
            return (election, event, view) -> {
                StateMachine.Outcome outcome = protocol.apply(election, event, view);
                if (!(outcome.election().state() instanceof Following following)
                        || following.inheritance() == null
                        || following.predecessor().heartbeat().isEmpty()) {
                    return outcome;
                }
                Predecessor holder = following.predecessor();
                Predecessor other = first.computeIfAbsent(election.config().path(), path -> holder);
                return with(
                        outcome,
                        new Following(
                                following.ownNode(),
                                following.requestId(),
                                new Predecessor(
                                        holder.path(),
                                        other.heartbeat(),
                                        holder.watched(),
                                        other.session(),
                                        holder.refused(),
                                        holder.attemptedAt()),
                                following.idleSince(),
                                following.inheritance()));
            };
        });
    }

    // the holder and the heir

    /** R34: A leader that drains beats on; here it does not. */
    static SimMutation drainsInSilence() {
        return protocol(protocol -> {
            Map<String, Leading> led = new HashMap<>();
            return (election, event, view) -> {
                String path = election.config().path();
                Leading hidden = led.remove(path);
                StateMachine.Outcome outcome = protocol.apply(
                        hidden != null && election.state() instanceof Draining draining
                                ? election(election, asIfLed(draining, hidden))
                                : election,
                        event,
                        view);
                if (outcome.election().state() instanceof Draining draining && draining.led() != null) {
                    led.put(path, draining.led());
                    return with(outcome, asIfLed(draining, null));
                }
                return outcome;
            };
        });
    }

    private static Draining asIfLed(Draining draining, @Nullable Leading led) {
        return new Draining(draining.departure(), led, draining.chosen(), draining.requestId());
    }

    /** R35: A node that was touched counts as unwatched until its watch is set again; here as watched. */
    static SimMutation watchedAfterTouch() {
        return protocol(protocol -> (election, event, view) -> {
            boolean touched = event instanceof Event.Changed changed
                    && changed.type() == EventType.NodeDataChanged
                    && election.state() instanceof Queued queued
                    && queued.ownNode().armed()
                    && changed.path().equals(queued.ownNode().path());
            StateMachine.Outcome outcome = protocol.apply(election, event, view);
            return touched ? with(outcome, state -> ownNode(state, ownNode -> ownNode.arm(true))) : outcome;
        });
    }
}
