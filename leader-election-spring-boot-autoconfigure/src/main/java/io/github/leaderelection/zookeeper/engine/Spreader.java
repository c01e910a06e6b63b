package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.placement.SpreadPolicy;
import io.github.leaderelection.zookeeper.placement.SpreadPolicy.Load;
import io.github.leaderelection.zookeeper.placement.SpreadPolicy.Movable;
import io.github.leaderelection.zookeeper.placement.SpreadPolicy.Move;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Following;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Queued;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.HeartbeatData;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the decisions of the {@link SpreadPolicy}: reads the loads in the heartbeats of the few connections that
 * could lead elections of this one, and hands elections to them. Confined to the loop.
 */
final class Spreader {

    /** Moves begin one after the other: if there were more to do at the same time, each election would lack a leader longer. */
    private static final long BETWEEN_MOVES = 30_000_000L;

    private final Engine engine;
    private final int concurrency;
    private final SpreadPolicy<HostedElection> policy;
    private final DeadlineTimer nextLook;
    private final DeadlineTimer nextMove;
    /** The other candidates of the highest priority in an election's last list. */
    private final Map<HostedElection, List<NodeName>> listed = new HashMap<>();
    /** The same, of the elections that are led here. */
    private final Map<HostedElection, List<NodeName>> peers = new HashMap<>();
    /** For each other connection, how many of those elections it could lead. */
    private final Map<String, Integer> connections = new HashMap<>();

    private final Deque<Move<HostedElection>> planned = new ArrayDeque<>();
    private final Set<HostedElection> moving = new HashSet<>();
    private int underWay;
    private long movedAt;
    private boolean looking;

    Spreader(Engine engine, EngineConfig.Spread config) {
        this.engine = engine;
        this.concurrency = config.concurrency();
        this.policy = new SpreadPolicy<>(config.settle().toNanos());
        this.nextLook = new DeadlineTimer(engine, this::look);
        this.nextMove = new DeadlineTimer(engine, this::proceed);
    }

    /**
     * To be called after each step of an election.
     *
     * @param grew whether this connection leads one more election
     */
    void follow(HostedElection hosted, Event event, boolean grew) {
        learn(hosted, event);
        List<NodeName> before = peers(hosted);
        List<NodeName> after = List.of();
        if (hosted.election().state() instanceof Leading) {
            after = listed.getOrDefault(hosted, after);
            peers.put(hosted, after);
        } else {
            peers.remove(hosted);
        }
        boolean joined = before != after && count(after, 1);
        boolean left = before != after && count(before, -1);
        if (joined || left) {
            policy.disturbed(engine.clock.nanos());
            planned.clear();
            lookSoon();
        }
        if (grew) {
            lookSoon();
        }
        if (!hosted.election().moves() && moving.remove(hosted)) {
            done();
        }
    }

    /** What is listed is kept from the evaluation on: a leader that is back need not list again. */
    private void learn(HostedElection hosted, Event event) {
        if (!(hosted.election().state() instanceof Queued queued) || queued instanceof Following) {
            listed.remove(hosted);
        } else if (event instanceof Event.Replied replied
                && replied.to().purpose() == Command.Purpose.LIST
                && replied.reply().ok()) {
            String own = NodeName.connection(queued.candidacy().guid());
            CandidateQueue queue = CandidateQueue.of(replied.reply().children(), 0);
            listed.put(hosted, queue.highestOfOthers(own));
        }
    }

    private List<NodeName> peers(HostedElection hosted) {
        return peers.getOrDefault(hosted, List.of());
    }

    /** Returns whether a connection came or went. */
    private boolean count(List<NodeName> nodes, int difference) {
        int size = connections.size();
        for (NodeName node : nodes) {
            connections.merge(node.connection(), difference, (one, other) -> one + other == 0 ? null : one + other);
        }
        return connections.size() != size;
    }

    /** The candidate on the connection that leads the fewest elections. Each call counts one more as given to it. */
    @Nullable
    String receiver(HostedElection hosted) {
        String least = policy.leastLoaded(connections(hosted));
        if (least != null) {
            policy.given(least);
        }
        return node(hosted, least);
    }

    private Set<String> connections(HostedElection hosted) {
        Set<String> found = new HashSet<>();
        peers(hosted).forEach(peer -> found.add(peer.connection()));
        return found;
    }

    private @Nullable String node(HostedElection hosted, @Nullable String connection) {
        return peers(hosted).stream()
                .filter(peer -> peer.connection().equals(connection))
                .map(NodeName::name)
                .findFirst()
                .orElse(null);
    }

    // looking

    private void lookSoon() {
        nextLook.noLaterThan(engine.clock.nanos() + pace());
    }

    /** A third of a lease: a connection that leads sends two heartbeats in that time. */
    private long pace() {
        return engine.connection.lease() * 1_000_000 / 3;
    }

    private void look() {
        if (connections.isEmpty() || looking || underWay > 0) {
            return;
        }
        if (!engine.connection.isUp()) {
            lookSoon();
            return;
        }
        looking = true;
        Map<String, Load> loads = new HashMap<>();
        Set<String> unanswered = new HashSet<>(connections.keySet());
        for (String peer : Set.copyOf(unanswered)) {
            read(peer, reply -> {
                if (reply.ok()) {
                    loads.put(peer, load(reply));
                }
                if (unanswered.remove(peer) && unanswered.isEmpty()) {
                    looking = false;
                    decide(loads);
                }
            });
        }
    }

    private void read(String peer, Consumer<Reply> onReply) {
        engine.client.send(new Request.Get(engine.heartbeat.pathOf(peer), false), onReply);
    }

    private static Load load(Reply reply) {
        return new Load(HeartbeatData.parse(reply.data()).led(), reply.stat().getVersion());
    }

    private void decide(Map<String, Load> loads) {
        if (!engine.connection.isUp()) {
            lookSoon();
            return;
        }
        List<Movable<HostedElection>> movable = new ArrayList<>();
        for (HostedElection hosted : engine.elections.all()) {
            Set<String> receivers = connections(hosted);
            receivers.retainAll(loads.keySet());
            if (isMovable(hosted) && !receivers.isEmpty()) {
                movable.add(new Movable<>(hosted, receivers));
            }
        }
        // Oldest terms first: elections that were just given to us would otherwise move again.
        movable.sort(Comparator.comparingLong(each -> each.election().leadsSince()));
        loads.keySet().retainAll(connections.keySet());
        var plan = policy.look(engine.clock.nanos(), own(), engine.heartbeat.led(), movable, loads, pace());
        planned.addAll(plan.moves());
        if (planned.isEmpty()) {
            nextLook.noLaterThan(plan.lookAt());
        } else {
            proceed();
        }
    }

    private String own() {
        return Paths.name(engine.heartbeat.path());
    }

    /** Whether the election may be given to a candidate of the same priority. */
    private boolean isMovable(HostedElection hosted) {
        List<NodeName> others = peers(hosted);
        return hosted.election().state() instanceof Leading leading
                && !leading.holding().requested()
                && leading.succession().appointing() == null
                && !others.isEmpty()
                && others.get(0).priority() == hosted.election().config().priority();
    }

    // moving

    private void proceed() {
        if (planned.isEmpty()) {
            if (underWay == 0) {
                lookSoon();
            }
        } else if (underWay < concurrency) {
            Move<HostedElection> move = planned.remove();
            underWay++;
            movedAt = engine.clock.nanos();
            nextMove.noLaterThan(movedAt + BETWEEN_MOVES);
            read(move.receiver(), reply -> moveIfConfirmed(move, reply));
        }
    }

    private void moveIfConfirmed(Move<HostedElection> move, Reply reply) {
        HostedElection hosted = move.election();
        String to = node(hosted, move.receiver());
        if (to != null
                && reply.ok()
                && isMovable(hosted)
                && policy.confirms(own(), engine.heartbeat.led(), move.receiver(), load(reply))) {
            policy.given(move.receiver());
            moving.add(hosted);
            hosted.handle(new Event.Spread(to));
        } else {
            done();
        }
    }

    private void done() {
        underWay--;
        nextMove.noLaterThan(movedAt + BETWEEN_MOVES);
    }
}
