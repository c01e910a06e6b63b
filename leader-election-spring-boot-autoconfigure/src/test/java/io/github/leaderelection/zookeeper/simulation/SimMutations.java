package io.github.leaderelection.zookeeper.simulation;

import static io.github.leaderelection.zookeeper.simulation.SimProtocols.answers;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.at;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.commands;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.election;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.isAnswer;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.mapped;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.ownNode;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.protocol;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.provenAt;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.records;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.then;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.watchesKept;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.with;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.withCzxid;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.withSightings;
import static io.github.leaderelection.zookeeper.simulation.SimProtocols.without;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.protocol.AwaitingLeaseEnd;
import io.github.leaderelection.zookeeper.protocol.Claim;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Evaluating;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Following;
import io.github.leaderelection.zookeeper.protocol.HandingOver;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Leaving;
import io.github.leaderelection.zookeeper.protocol.Moment;
import io.github.leaderelection.zookeeper.protocol.Named;
import io.github.leaderelection.zookeeper.protocol.Predecessor;
import io.github.leaderelection.zookeeper.protocol.Queued;
import io.github.leaderelection.zookeeper.protocol.Retiring;
import io.github.leaderelection.zookeeper.protocol.Sighting;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import io.github.leaderelection.zookeeper.protocol.View;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** The rules of the design, each removed on its own. */
final class SimMutations {

    private SimMutations() {}

    // the claim

    /** R1: The lease counts from the sending of the request; here from its answer. */
    static SimMutation leaseFromTheAnswer() {
        return protocol(protocol -> (election, event, view) -> {
            StateMachine.Outcome outcome = protocol.apply(election, event, view);
            @Nullable Moment before = provenAt(election.state());
            @Nullable Moment after = provenAt(outcome.election().state());
            boolean renewed = after != null && !after.equals(before);
            return renewed
                    ? with(outcome, ownNode(outcome.election().state(), ownNode -> ownNode.prove(view.now())))
                    : outcome;
        });
    }

    /** R6: The claim compares the record's version; here it does not. */
    static SimMutation claimWithoutVersion() {
        return protocol(protocol -> commands(protocol, Purpose.CLAIM, SimProtocols::anyVersion));
    }

    /** R7: The claim rewrites the heartbeat, so that its observers see it; here it does not. */
    static SimMutation claimWithoutBeat() {
        return protocol(protocol -> commands(
                answers(protocol, Purpose.CLAIM, SimProtocols::asIfBeaten),
                Purpose.CLAIM,
                request -> without(request, SimProtocols::isOfHeartbeat)));
    }

    // the wait

    /** R28: The list that shows the holder gone is requested after the record was read; here the first list counts. */
    static SimMutation claimAfterOneList() {
        return protocol(SimMutations::confirmedAtOnce);
    }

    private static StateMachine confirmedAtOnce(StateMachine protocol) {
        return (election, event, view) -> {
            boolean read = event instanceof Event.Replied replied
                    && isAnswer(event, Purpose.RECORD)
                    && replied.reply().ok();
            if (read && event instanceof Event.Replied replied && election.state() instanceof Evaluating evaluating) {
                Reply reply = replied.reply();
                LeaderRecord record = LeaderRecord.parse(reply.data()).orElse(LeaderRecord.released(0, 0));
                var claim = new Claim(
                        reply.stat().getVersion(),
                        Math.max(reply.stat().getMzxid(), record.token()) + 1,
                        record.lease());
                var confirmed = new Evaluating(
                        evaluating.ownNode(),
                        evaluating.requestId(),
                        evaluating.reads(),
                        evaluating.last(),
                        evaluating.checking(),
                        evaluating.waited(),
                        claim);
                return protocol.apply(election(election, confirmed), event, view);
            }
            return protocol.apply(election, event, view);
        };
    }

    /**
     * R9: The wait counts from the answer that listed the candidate first; here from its sending. Only together with R28, whose
     * second list is sent when the first one has shown the holder gone: from then on the sending is late enough, unless that
     * holder joined between the first list and the record, and was gone again before the second list.
     */
    static SimMutation waitFromTheSending() {
        return protocol(protocol -> {
            StateMachine confirmed = confirmedAtOnce(protocol);
            Map<Long, Moment> sent = new HashMap<>();
            return (election, event, view) -> {
                View mistaken = view;
                if (isAnswer(event, Purpose.LIST) && event instanceof Event.Replied replied) {
                    mistaken = at(view, sent.getOrDefault(replied.to().requestId(), view.now()));
                }
                StateMachine.Outcome outcome = confirmed.apply(election, event, mistaken);
                for (Command command : outcome.commands()) {
                    if (command instanceof Command.ReadTogether look) {
                        look.reads().forEach(read -> sent.put(read.requestId(), view.now()));
                    } else if (command instanceof Command.Send send && send.purpose() == Purpose.LIST) {
                        sent.put(send.requestId(), view.now());
                    }
                }
                return outcome;
            };
        });
    }

    /** R9: The wait counts from the answer that listed the candidate first; here from an earlier one, apart from that of R28. */
    static SimMutation waitFromAnEarlierList() {
        return protocol(protocol -> {
            Map<String, Moment> last = new HashMap<>();
            Map<String, Moment> beforeLast = new HashMap<>();
            return (election, event, view) -> {
                if (!isAnswer(event, Purpose.LIST) || !(election.state() instanceof Evaluating evaluating)) {
                    return protocol.apply(election, event, view);
                }
                String node = evaluating.ownNode().name();
                if (evaluating.unlisted() == null) {
                    beforeLast.put(node, last.getOrDefault(node, view.now()));
                    last.put(node, view.now());
                }
                return protocol.apply(election, event, at(view, beforeLast.getOrDefault(node, view.now())));
            };
        });
    }

    /** R10: A candidate waits for the lease in the record; here for its own. */
    static SimMutation waitOwnLease() {
        return protocol(protocol -> records(
                protocol,
                (record, election, view) -> new LeaderRecord(
                        record.state(),
                        record.holder(),
                        record.heir(),
                        record.token(),
                        view.lease(),
                        record.requested(),
                        record.acknowledged())));
    }

    /** R11: The wait is 1.1 leases long, since the rates of clocks differ; here one lease. */
    static SimMutation waitWithoutMargin() {
        return protocol(protocol -> {
            Map<String, Long> leases = new HashMap<>();
            return (election, event, view) -> {
                if (event instanceof Event.Replied replied && isAnswer(event, Purpose.RECORD)) {
                    leases.put(
                            election.config().path(),
                            LeaderRecord.parse(replied.reply().data())
                                    .map(LeaderRecord::lease)
                                    .orElse(view.sessionTimeout()));
                }
                StateMachine.Outcome outcome = protocol.apply(election, event, view);
                long lease = leases.getOrDefault(election.config().path(), 0L);
                return outcome.election().state() instanceof AwaitingLeaseEnd
                        ? mapped(
                                outcome,
                                command -> command instanceof Command.WakeAt wake
                                        ? new Command.WakeAt(wake.requestId(), wake.nanos() - lease * 100_000)
                                        : command)
                        : outcome;
            };
        });
    }

    /** R12: A candidate waits if the record is missing or corrupt; here it does not. */
    static SimMutation noWaitWithoutRecord() {
        return protocol(protocol -> (election, event, view) -> {
            StateMachine.Outcome outcome = protocol.apply(election, event, view);
            if (outcome.election().state() instanceof AwaitingLeaseEnd waiting
                    && waiting.claim().version() == Claim.NO_RECORD) {
                return then(outcome, protocol.apply(outcome.election(), new Event.Woken(waiting.requestId()), view));
            }
            return outcome;
        });
    }

    // the record

    /** R16: The holder is compared by the name of its node; here by its GUID, which a twin node has as well. */
    static SimMutation heldByGuid() {
        return protocol(protocol -> records(protocol, (record, election, view) -> {
            boolean mine = election.state() instanceof Queued queued
                    && record.holder()
                            .startsWith(
                                    NodeName.prefix(queued.ownNode().candidacy().guid()));
            return mine && election.state() instanceof Queued queued
                    ? new LeaderRecord(
                            record.state(),
                            queued.ownNode().name(),
                            record.heir(),
                            record.token(),
                            record.lease(),
                            record.requested(),
                            record.acknowledged())
                    : record;
        }));
    }

    /** R15: A named candidate leads with the shorter of the record's lease and its own; here with its own. */
    static SimMutation namedWithOwnLease() {
        return protocol(protocol -> (election, event, view) -> {
            StateMachine.Outcome outcome = protocol.apply(election, event, view);
            if (outcome.election().state() instanceof Leading leading) {
                return with(
                        outcome,
                        new Leading(
                                leading.ownNode(),
                                leading.requestId(),
                                leading.holding(),
                                leading.succession(),
                                view.lease() - view.grace(),
                                leading.term(),
                                leading.since()));
            }
            return outcome;
        });
    }

    /** R14: A named candidate leads only after a heartbeat has proven its node; here at once. */
    static SimMutation namedWithoutBeat() {
        return protocol(protocol -> (election, event, view) -> {
            StateMachine.Outcome outcome = protocol.apply(election, event, view);
            if (outcome.election().state() instanceof Named named) {
                ElectionState armed =
                        election(outcome.election(), named.with(named.ownNode().arm(true)));
                return then(outcome, protocol.apply(armed, new Event.Acknowledged(view.now()), view));
            }
            return outcome;
        });
    }

    // the renewal

    /** R2: Only a write renews a lease; here a read or a sync does. Such heartbeats cannot be observed. */
    static SimMutation renewedBy(Function<String, Request> request) {
        return new SimMutation() {
            @Override
            public AsyncClient client(AsyncClient client, SimHost host) {
                return new SimHeartbeatClient(client) {
                    @Override
                    void beat(Request.Set heartbeat, Consumer<Reply> answer) {
                        client.send(
                                request.apply(heartbeat.path()),
                                reply -> answer.accept(reply.ok() ? withCzxid(reply, czxid()) : reply));
                    }
                };
            }

            @Override
            public StateMachine protocol(StateMachine protocol, SimHost host) {
                return (election, event, view) ->
                        protocol.apply(election, event, withSightings(view, heartbeat -> null));
            }
        };
    }

    /** R3: An acknowledgement counts only while the own node is watched; here that watch is never set. */
    static SimMutation neverArmed() {
        return protocol(protocol -> (election, event, view) -> {
            StateMachine.Outcome outcome = protocol.apply(election, event, view);
            List<Command> commands = outcome.commands().stream()
                    .filter(command -> !(command instanceof Command.Send send && send.purpose() == Purpose.OWN_NODE))
                    .toList();
            return new StateMachine.Outcome(
                    election(outcome.election(), ownNode(outcome.election().state(), ownNode -> ownNode.arm(true))),
                    commands);
        });
    }

    /** R3: The same, but only while the watch is being set. */
    static SimMutation countedWhileArming() {
        return protocol(protocol -> (election, event, view) -> event instanceof Event.Acknowledged
                        && election.state() instanceof Leading leading
                        && !leading.ownNode().armed()
                ? with(
                        protocol.apply(election(election, ownNode(leading, ownNode -> ownNode.arm(true))), event, view),
                        state -> ownNode(state, ownNode -> ownNode.arm(false)))
                : protocol.apply(election, event, view));
    }

    /** R3: Watches are set again on reconnect; here the engine believes that all clients do so by themselves. */
    static SimMutation believesWatchesKept() {
        return new SimMutation() {
            @Override
            public AsyncClient client(AsyncClient client, SimHost host) {
                return watchesKept(true, client);
            }

            @Override
            public StateMachine protocol(StateMachine protocol, SimHost host) {
                return (election, event, view) -> {
                    StateMachine.Outcome outcome = protocol.apply(election, event, view);
                    List<Command> commands = outcome.commands().stream()
                            .filter(command -> !(event instanceof Event.Connected
                                    && command instanceof Command.SendWhenThereIsRoom later
                                    && later.send().purpose() == Purpose.OWN_NODE))
                            .toList();
                    return new StateMachine.Outcome(outcome.election(), commands);
                };
            }
        };
    }

    /** R4: Answers and watch events are handled in the order in which the client delivers them; here answers overtake events. */
    static SimMutation eventsOvertaken() {
        return new SimMutation() {
            @Override
            public long eventsDelayedBy() {
                return 1_200 * SimScheduler.MILLIS;
            }
        };
    }

    /** R5: Leases are measured by two clocks, since the monotonic one stands still during a suspension; here by that one only. */
    static SimMutation onlyMonotonicClock() {
        return new SimMutation() {
            @Override
            public Clock clock(Clock clock) {
                return new Clock() {
                    @Override
                    public long nanos() {
                        return clock.nanos();
                    }

                    @Override
                    public long millis() {
                        return 0;
                    }
                };
            }
        };
    }

    // leaving

    /** R17: The hand-over compares the record's version; here it does not. */
    static SimMutation handOverWithoutVersion() {
        return protocol(protocol -> commands(protocol, Purpose.HAND_OVER, SimProtocols::anyVersion));
    }

    /** R18: The hand-over is sent after the leader has stopped leading; here it stops when the answer arrives. */
    static SimMutation leadsUntilHandedOver() {
        return protocol(protocol -> {
            Map<String, ElectionState> hidden = new HashMap<>();
            return (election, event, view) -> {
                String name = election.config().path();
                if (election.state() instanceof Leading leading && event instanceof Event.Leave) {
                    StateMachine.Outcome left = protocol.apply(election, event, view);
                    StateMachine.Outcome sent =
                            protocol.apply(left.election(), new Event.Drained(leading.term()), view);
                    hidden.put(name, sent.election());
                    return new StateMachine.Outcome(election, then(left, sent).commands());
                }
                ElectionState real = hidden.get(name);
                if (real == null || !(election.state() instanceof Leading)) {
                    return protocol.apply(election, event, view);
                }
                StateMachine.Outcome outcome = protocol.apply(real, event, view);
                if (outcome.election().state() instanceof Leaving) {
                    hidden.put(name, outcome.election());
                    return new StateMachine.Outcome(election, outcome.commands());
                }
                hidden.remove(name);
                return outcome;
            };
        });
    }

    /** R19: A candidacy that has begun to leave never leads again; here it leads on, within its lease, if the answer is lost. */
    static SimMutation resumesAfterLostHandOver() {
        return protocol(protocol -> {
            Map<String, Leading> led = new HashMap<>();
            return (election, event, view) -> {
                String path = election.config().path();
                if (election.state() instanceof Leading leading && event instanceof Event.Leave) {
                    led.put(path, leading);
                }
                boolean lost = event instanceof Event.Disconnected
                        || isAnswer(event, Purpose.HAND_OVER)
                                && event instanceof Event.Replied replied
                                && replied.reply().ambiguous();
                if (lost && led.containsKey(path) && election.state() instanceof HandingOver) {
                    Leading resumed = led.get(path);
                    return protocol.apply(election(election, resumed), new Event.Disconnected(true), view);
                }
                return protocol.apply(election, event, view);
            };
        });
    }

    /** R20: A candidate without a node drains as well before it has left; here it does not. */
    static SimMutation leavesUndrained() {
        return protocol(protocol -> (election, event, view) -> {
            StateMachine.Outcome outcome = protocol.apply(election, event, view);
            return outcome.election().state() instanceof Retiring retiring
                    ? then(outcome, protocol.apply(outcome.election(), new Event.Drained(retiring.term()), view))
                    : outcome;
        });
    }

    /** R40: A term begins after all listeners have returned from the last one; here at once. */
    static SimMutation leadsWhileListenersWork() {
        return protocol(protocol -> (election, event, view) -> {
            StateMachine.Outcome outcome = protocol.apply(election, event, view);
            return outcome.commands().stream().anyMatch(Command.Revoked.class::isInstance)
                    ? then(
                            outcome,
                            protocol.apply(
                                    outcome.election(),
                                    new Event.Heard(outcome.election().terms()),
                                    view))
                    : outcome;
        });
    }

    /** R21: A candidate searches for its node after a write; here after a sync. */
    static SimMutation settledBySync() {
        return protocol(SimMutations::synced);
    }

    private static StateMachine synced(StateMachine protocol) {
        return commands(protocol, Purpose.BARRIER, request -> sync(request.path()));
    }

    /** {@code sync}, which the engine never sends: in the simulation a check outside a transaction stands for it. */
    static Request sync(String path) {
        return new Request.Check(path);
    }

    // the observed lease

    /** R22: An observed heartbeat counts only if it is that of the record's holder; here that of any candidate does. */
    static SimMutation observedLeaseOfAnother() {
        return protocol(protocol -> records(protocol, (record, election, view) -> {
            boolean other = record.state() == LeaderRecord.State.HELD
                    && election.state() instanceof Evaluating evaluating
                    && !record.heldBy(evaluating.ownNode().name());
            return other && election.state() instanceof Evaluating evaluating && evaluating.last() != null
                    ? LeaderRecord.held(evaluating.last().node(), record.token(), record.lease())
                    : record;
        }));
    }

    /** R23: An observed heartbeat counts only until the connection is lost; here it still counts after that. */
    static SimMutation observedLeaseAcrossReconnect() {
        return protocol(protocol -> {
            Map<String, Sighting> sightings = new HashMap<>();
            Map<String, Predecessor> observed = new HashMap<>();
            return (election, event, view) -> {
                View remembering = withSightings(view, heartbeat -> {
                    Sighting known = sightings.get(heartbeat);
                    return known == null ? view.sightings().apply(heartbeat) : known;
                });
                String path = election.config().path();
                if (election.state() instanceof Following following) {
                    observed.put(path, following.predecessor());
                    String heartbeat = following.predecessor().heartbeat();
                    Sighting seen = view.sightings().apply(heartbeat);
                    if (seen != null) {
                        sightings.put(heartbeat, seen);
                    }
                }
                ElectionState before = election;
                if (election.state() instanceof Evaluating evaluating && evaluating.last() == null) {
                    before = election(
                            election,
                            new Evaluating(
                                    evaluating.ownNode(),
                                    evaluating.requestId(),
                                    evaluating.reads(),
                                    observed.get(path),
                                    evaluating.checking(),
                                    evaluating.waited(),
                                    evaluating.unlisted()));
                }
                return protocol.apply(before, event, remembering);
            };
        });
    }

    // fencing

    /** R24: The guard checks the leader's own node; here the record's version. */
    static SimMutation guardByVersion() {
        return new SimMutation() {
            @Override
            public Reply guard(SimTransaction transaction, SimElection.LedNode ledNode) {
                SimTree.@Nullable Node record =
                        transaction.before().get(Paths.parent(ledNode.path()) + "/" + LeaderRecord.NODE);
                boolean same = record != null && record.version() == ledNode.version();
                return Reply.of(same ? Code.OK : Code.BADVERSION);
            }
        };
    }
}
