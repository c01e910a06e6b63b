package io.github.leaderelection.zookeeper;

import io.github.leaderelection.zookeeper.Command.About;
import io.github.leaderelection.zookeeper.Stage.Evaluating;
import io.github.leaderelection.zookeeper.Stage.Leading;
import io.github.leaderelection.zookeeper.Stage.Leaving;
import io.github.leaderelection.zookeeper.Stage.Retiring;
import io.github.leaderelection.zookeeper.Stage.Seated;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** The design's rules (those marked ●), each taken out by itself. */
final class SimMutations {

    private SimMutations() {}

    /** A mutation that replaces the protocol; a fresh one for each process, so that it may remember things. */
    private static SimMutation protocol(UnaryOperator<Transition> change) {
        return new SimMutation() {
            @Override
            public Transition protocol(Transition protocol) {
                return change.apply(protocol);
            }
        };
    }

    // the claim

    /** ● The lease runs from the moment the request was sent. */
    static SimMutation leaseFromTheAnswer() {
        return protocol(protocol -> (ballot, signal, view) -> {
            Transition.Step step = protocol.apply(ballot, signal, view);
            @Nullable Moment before = earned(ballot.stage());
            @Nullable Moment after = earned(step.ballot().stage());
            boolean renewed = after != null && !after.equals(before);
            return renewed ? with(step, seat(step.ballot().stage(), seat -> seat.earn(view.now()))) : step;
        });
    }

    /** ● The claim compares the record's version. */
    static SimMutation claimWithoutVersion() {
        return protocol(protocol -> commands(protocol, About.CLAIM, SimMutations::anyVersion));
    }

    /** ● The claim rewrites the beat, so that whoever observes the beat sees it. */
    static SimMutation claimWithoutBeat() {
        return protocol(protocol -> commands(protocol, About.CLAIM, request -> {
            List<Request> parts = ((Request.Multi) request).parts();
            return new Request.Multi(parts.subList(0, parts.size() - 1));
        }));
    }

    /** The claim checks that our own node is there. */
    static SimMutation claimWithoutNode() {
        return protocol(protocol -> commands(protocol, About.CLAIM, request -> {
            List<Request> parts = ((Request.Multi) request).parts();
            return new Request.Multi(parts.subList(1, parts.size()));
        }));
    }

    // the wait

    /** ● Counted from the answer that listed us first, not from its sending. */
    static SimMutation waitFromTheSending() {
        return protocol(protocol -> {
            Map<Long, Moment> sent = new HashMap<>();
            return (ballot, signal, view) -> {
                View mistaken = view;
                if (isAnswer(signal, About.LIST) && signal instanceof Signal.Replied replied) {
                    mistaken = at(view, sent.getOrDefault(replied.to().flight(), view.now()));
                }
                Transition.Step step = protocol.apply(ballot, signal, mistaken);
                for (Command command : step.commands()) {
                    if (command instanceof Command.SendTogether look) {
                        look.reads().forEach(read -> sent.put(read.flight(), view.now()));
                    } else if (command instanceof Command.Send send && send.about() == About.LIST) {
                        sent.put(send.flight(), view.now());
                    }
                }
                return step;
            };
        });
    }

    /** ● Counted from the answer that listed us first, not from an earlier one. */
    static SimMutation waitFromAnEarlierList() {
        return protocol(protocol -> {
            Map<String, Moment> last = new HashMap<>();
            return (ballot, signal, view) -> {
                if (!isAnswer(signal, About.LIST) || !(ballot.stage() instanceof Evaluating evaluating)) {
                    return protocol.apply(ballot, signal, view);
                }
                String node = evaluating.seat().node();
                Moment earlier = last.getOrDefault(node, view.now());
                last.put(node, view.now());
                return protocol.apply(ballot, signal, at(view, earlier));
            };
        });
    }

    /** ● The record's lease is waited for, not our own. */
    static SimMutation waitOwnLease() {
        return protocol(protocol -> records(
                protocol,
                (record, ballot, view) -> new LeaderRecord(
                        record.state(), record.holder(), record.token(), view.lease(), record.acknowledged())));
    }

    /** ● 1.1 times: clocks may differ. */
    static SimMutation waitWithoutMargin() {
        return protocol(protocol -> {
            Map<String, Long> leases = new HashMap<>();
            return (ballot, signal, view) -> {
                if (signal instanceof Signal.Replied replied && isAnswer(signal, About.RECORD)) {
                    leases.put(
                            ballot.setting().path(),
                            LeaderRecord.parse(replied.reply().data())
                                    .map(LeaderRecord::lease)
                                    .orElse(view.sessionTimeout()));
                }
                Transition.Step step = protocol.apply(ballot, signal, view);
                long lease = leases.getOrDefault(ballot.setting().path(), 0L);
                return step.ballot().stage() instanceof Stage.Waiting
                        ? mapped(
                                step,
                                command -> command instanceof Command.Wake wake
                                        ? new Command.Wake(wake.flight(), wake.nanos() - lease * 100_000)
                                        : command)
                        : step;
            };
        });
    }

    /** ● A record that is missing, or was spoilt, is waited for. */
    static SimMutation noWaitWithoutRecord() {
        return protocol(protocol -> (ballot, signal, view) -> {
            Transition.Step step = protocol.apply(ballot, signal, view);
            if (step.ballot().stage() instanceof Stage.Waiting waiting && waiting.version() == Verdict.NO_RECORD) {
                return then(step, protocol.apply(step.ballot(), new Signal.Woken(waiting.flight()), view));
            }
            return step;
        });
    }

    // the record

    /** ● HELD by our own node, by its name; by its GUID it may be another node of the same candidacy. */
    static SimMutation heldByGuid() {
        return protocol(protocol -> records(protocol, (record, ballot, view) -> {
            boolean mine = ballot.stage() instanceof Seated seated
                    && record.holder()
                            .startsWith(
                                    NodeName.prefix(seated.seat().candidacy().guid()));
            return mine && ballot.stage() instanceof Seated seated
                    ? new LeaderRecord(
                            record.state(), seated.seat().node(), record.token(), record.lease(), record.acknowledged())
                    : record;
        }));
    }

    /** Whoever is named leads with the shorter of the record's lease and its own. */
    static SimMutation namedWithOwnLease() {
        return protocol(protocol -> (ballot, signal, view) -> {
            Transition.Step step = protocol.apply(ballot, signal, view);
            if (step.ballot().stage() instanceof Leading leading) {
                return with(
                        step,
                        new Leading(
                                leading.seat(),
                                leading.flight(),
                                leading.succession(),
                                leading.version(),
                                leading.granted(),
                                view.lease(),
                                leading.term(),
                                leading.since()));
            }
            return step;
        });
    }

    /** Whoever is named leads only when a beat has proven its node. */
    static SimMutation namedWithoutBeat() {
        return protocol(protocol -> (ballot, signal, view) -> {
            Transition.Step step = protocol.apply(ballot, signal, view);
            if (step.ballot().stage() instanceof Stage.Named named) {
                Ballot armed = ballot(step.ballot(), named.with(named.seat().arm(true)));
                return then(step, protocol.apply(armed, new Signal.Acknowledged(view.now()), view));
            }
            return step;
        });
    }

    // the renewal

    /** ● Nothing but a write renews; here a read, or a sync, does. Beats are not visible then, so nobody observes them. */
    static SimMutation renewedBy(Function<String, Request> request) {
        return new SimMutation() {
            @Override
            public Wire wire(Wire wire, SimHost host) {
                return SimMutations.wire(
                        wire.keepsWatches(),
                        (sent, answer) -> wire.send(
                                sent instanceof Request.Set set && set.path().startsWith(Simulation.BEATS)
                                        ? request.apply(set.path())
                                        : sent,
                                answer));
            }

            @Override
            public Transition protocol(Transition protocol) {
                return (ballot, signal, view) ->
                        protocol.apply(ballot, signal, sighted(view, beat -> OptionalLong.empty()));
            }
        };
    }

    /** ● An acknowledgement counts only where the watch on our own node is armed; here none is ever set. */
    static SimMutation neverArmed() {
        return protocol(protocol -> (ballot, signal, view) -> {
            Transition.Step step = protocol.apply(ballot, signal, view);
            List<Command> commands = step.commands().stream()
                    .filter(command -> !(command instanceof Command.Send send && send.about() == About.OWN))
                    .toList();
            return new Transition.Step(
                    ballot(step.ballot(), seat(step.ballot().stage(), seat -> seat.arm(true))), commands);
        });
    }

    /** ● The same, but only while the watch is being set. */
    static SimMutation countedWhileArming() {
        return protocol(protocol -> (ballot, signal, view) -> signal instanceof Signal.Acknowledged
                        && ballot.stage() instanceof Leading leading
                        && !leading.seat().armed()
                ? with(
                        protocol.apply(ballot(ballot, seat(leading, seat -> seat.arm(true))), signal, view),
                        stage -> seat(stage, seat -> seat.arm(false)))
                : protocol.apply(ballot, signal, view));
    }

    /** ● Watches are set again on a reconnect; here that is believed of clients that do not do so, and not made sure of. */
    static SimMutation believesWatchesKept() {
        return new SimMutation() {
            @Override
            public Wire wire(Wire wire, SimHost host) {
                return SimMutations.wire(true, wire);
            }

            @Override
            public Transition protocol(Transition protocol) {
                return (ballot, signal, view) -> {
                    Transition.Step step = protocol.apply(ballot, signal, view);
                    List<Command> commands = step.commands().stream()
                            .filter(command -> !(command instanceof Command.SendWhenIdle))
                            .toList();
                    return new Transition.Step(step.ballot(), commands);
                };
            }
        };
    }

    private static Wire wire(boolean keepsWatches, Wire wire) {
        return new Wire() {
            @Override
            public void send(Request request, Consumer<Reply> answer) {
                wire.send(request, answer);
            }

            @Override
            public boolean keepsWatches() {
                return keepsWatches;
            }
        };
    }

    /** ● Answers and events go through one queue, in the order in which the client delivers them. */
    static SimMutation eventsOvertaken() {
        return new SimMutation() {
            @Override
            public long eventsDelayedBy() {
                return 1_200 * SimScheduler.MILLIS;
            }
        };
    }

    /** Leases are measured by both clocks: the monotonic one stands still in a suspended machine. */
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

    /** ● The hand-over compares the record's version. */
    static SimMutation handOverWithoutVersion() {
        return protocol(protocol -> commands(protocol, About.HAND_OVER, SimMutations::anyVersion));
    }

    /** ● The hand-over is sent only after isLeader() has turned false; here it does so when the answer comes. */
    static SimMutation leadsUntilHandedOver() {
        return protocol(protocol -> {
            Map<String, Ballot> hidden = new HashMap<>();
            return (ballot, signal, view) -> {
                String name = ballot.setting().path();
                if (ballot.stage() instanceof Leading leading && signal instanceof Signal.Leave) {
                    Transition.Step left = protocol.apply(ballot, signal, view);
                    Transition.Step sent = protocol.apply(left.ballot(), new Signal.Drained(leading.term()), view);
                    hidden.put(name, sent.ballot());
                    return new Transition.Step(ballot, then(left, sent).commands());
                }
                Ballot real = hidden.get(name);
                if (real == null || !(ballot.stage() instanceof Leading)) {
                    return protocol.apply(ballot, signal, view);
                }
                Transition.Step step = protocol.apply(real, signal, view);
                if (step.ballot().stage() instanceof Leaving) {
                    hidden.put(name, step.ballot());
                    return new Transition.Step(ballot, step.commands());
                }
                hidden.remove(name);
                return step;
            };
        });
    }

    /** ● Whoever began to resign never leads again; here it goes on if the answer is lost, inside its lease. */
    static SimMutation resumesAfterLostHandOver() {
        return protocol(protocol -> {
            Map<String, Leading> led = new HashMap<>();
            return (ballot, signal, view) -> {
                String path = ballot.setting().path();
                if (ballot.stage() instanceof Leading leading && signal instanceof Signal.Leave) {
                    led.put(path, leading);
                }
                boolean lost = signal instanceof Signal.Disconnected
                        || isAnswer(signal, About.HAND_OVER)
                                && signal instanceof Signal.Replied replied
                                && replied.reply().ambiguous();
                if (lost
                        && led.containsKey(path)
                        && ballot.stage() instanceof Leaving leaving
                        && leaving.phase() == Leaving.Phase.HANDING_OVER) {
                    Leading resumed = led.get(path);
                    return protocol.apply(ballot(ballot, resumed), new Signal.Disconnected(true), view);
                }
                return protocol.apply(ballot, signal, view);
            };
        });
    }

    /** Whoever leaves without a node drains, too; here it has left at once. */
    static SimMutation leavesUndrained() {
        return protocol(protocol -> (ballot, signal, view) -> {
            Transition.Step step = protocol.apply(ballot, signal, view);
            return step.ballot().stage() instanceof Retiring retiring
                    ? then(step, protocol.apply(step.ballot(), new Signal.Drained(retiring.term()), view))
                    : step;
        });
    }

    /** What was left behind by a lost connection is looked for after a write, not after a sync. */
    static SimMutation settledBySync() {
        return protocol(SimMutations::synced);
    }

    private static Transition synced(Transition protocol) {
        return commands(protocol, About.SETTLE, request -> new Request.Sync(request.path()));
    }

    // the observed lease

    /** ● Only if the record is held by exactly the one whose beat was observed. */
    static SimMutation observedLeaseOfAnother() {
        return protocol(protocol -> records(protocol, (record, ballot, view) -> {
            boolean other = record.state() == LeaderRecord.State.HELD
                    && ballot.stage() instanceof Evaluating evaluating
                    && !record.heldBy(evaluating.seat().node());
            return other && ballot.stage() instanceof Evaluating evaluating && evaluating.last() != null
                    ? LeaderRecord.held(evaluating.last().node(), record.token(), record.lease())
                    : record;
        }));
    }

    /** ● Only if the connection was not lost since. */
    static SimMutation observedLeaseAcrossReconnect() {
        return protocol(protocol -> {
            Map<String, Long> sightings = new HashMap<>();
            Map<String, Predecessor> observed = new HashMap<>();
            return (ballot, signal, view) -> {
                View remembering = sighted(view, beat -> {
                    Long known = sightings.get(beat);
                    return known == null ? view.sightings().apply(beat) : OptionalLong.of(known);
                });
                String path = ballot.setting().path();
                if (ballot.stage() instanceof Stage.Following following) {
                    observed.put(path, following.predecessor());
                    String beat = following.predecessor().beat();
                    view.sightings().apply(beat).ifPresent(nanos -> sightings.put(beat, nanos));
                }
                Ballot before = ballot;
                if (ballot.stage() instanceof Evaluating evaluating && evaluating.last() == null) {
                    before = ballot(
                            ballot,
                            new Evaluating(
                                    evaluating.seat(),
                                    evaluating.flight(),
                                    evaluating.found(),
                                    observed.get(path),
                                    evaluating.checking(),
                                    evaluating.waited()));
                }
                return protocol.apply(before, signal, remembering);
            };
        });
    }

    // fencing

    /** ● The guard is the own node, not the record's version. */
    static SimMutation guardByVersion() {
        return new SimMutation() {
            @Override
            public Reply guard(SimTransaction transaction, SimElection.Reigned reigned) {
                SimTree.@Nullable Node record =
                        transaction.before().get(Paths.parent(reigned.path()) + "/" + LeaderRecord.NODE);
                boolean same = record != null && record.version() == reigned.version();
                return Reply.of(same ? Code.OK : Code.BADVERSION);
            }
        };
    }

    // how to change a protocol

    private interface RecordChange {
        LeaderRecord apply(LeaderRecord record, Ballot ballot, View view);
    }

    /** Makes the protocol read something else in the record than what it says. */
    private static Transition records(Transition protocol, RecordChange change) {
        return (ballot, signal, view) -> {
            if (signal instanceof Signal.Replied replied
                    && isAnswer(signal, About.RECORD)
                    && replied.reply().ok()
                    && (ballot.stage() instanceof Evaluating || ballot.stage() instanceof Stage.Succeeding)) {
                Reply reply = replied.reply();
                byte[] data = LeaderRecord.parse(reply.data())
                        .map(record -> change.apply(record, ballot, view).toJson())
                        .orElse(reply.data());
                Signal changed = new Signal.Replied(replied.to(), Reply.data(data, reply.stat()));
                return protocol.apply(ballot, changed, view);
            }
            return protocol.apply(ballot, signal, view);
        };
    }

    /** Makes the protocol send something else. */
    private static Transition commands(Transition protocol, About about, UnaryOperator<Request> change) {
        return (ballot, signal, view) -> mapped(
                protocol.apply(ballot, signal, view),
                command -> command instanceof Command.Send send && send.about() == about
                        ? new Command.Send(about, send.flight(), change.apply(send.request()))
                        : command);
    }

    private static Transition.Step mapped(Transition.Step step, UnaryOperator<Command> change) {
        return new Transition.Step(
                step.ballot(), step.commands().stream().map(change).toList());
    }

    private static Request anyVersion(Request request) {
        List<Request> parts = new ArrayList<>();
        for (Request part : ((Request.Multi) request).parts()) {
            parts.add(part instanceof Request.Set set ? new Request.Set(set.path(), set.data(), -1) : part);
        }
        return new Request.Multi(parts);
    }

    private static boolean isAnswer(Signal signal, About about) {
        return signal instanceof Signal.Replied replied && replied.to().about() == about;
    }

    private static @Nullable Moment earned(Stage stage) {
        return stage instanceof Seated seated ? seated.seat().earned() : null;
    }

    private static Stage seat(Stage stage, UnaryOperator<Seat> change) {
        return stage instanceof Seated seated ? seated.with(change.apply(seated.seat())) : stage;
    }

    private static Ballot ballot(Ballot ballot, Stage stage) {
        return new Ballot(
                ballot.setting(),
                stage,
                ballot.flights(),
                ballot.terms(),
                ballot.former(),
                ballot.queueWatched(),
                ballot.failures(),
                ballot.error());
    }

    private static Transition.Step with(Transition.Step step, Stage stage) {
        return new Transition.Step(ballot(step.ballot(), stage), step.commands());
    }

    private static Transition.Step with(Transition.Step step, UnaryOperator<Stage> change) {
        return with(step, change.apply(step.ballot().stage()));
    }

    private static Transition.Step then(Transition.Step first, Transition.Step second) {
        List<Command> commands = new ArrayList<>(first.commands());
        commands.addAll(second.commands());
        return new Transition.Step(second.ballot(), commands);
    }

    private static View at(View view, Moment now) {
        return new View(
                now,
                view.connected(),
                view.hasRoom(),
                view.session(),
                view.sessionTimeout(),
                view.lease(),
                view.beat(),
                view.sightings(),
                view.guids());
    }

    private static View sighted(View view, Function<String, OptionalLong> sightings) {
        return new View(
                view.now(),
                view.connected(),
                view.hasRoom(),
                view.session(),
                view.sessionTimeout(),
                view.lease(),
                view.beat(),
                sightings,
                view.guids());
    }
}
