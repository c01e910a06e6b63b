package io.github.leaderelection.zookeeper.placement;

import io.github.leaderelection.zookeeper.placement.SpreadPolicy.Load;
import io.github.leaderelection.zookeeper.placement.SpreadPolicy.Movable;
import io.github.leaderelection.zookeeper.placement.SpreadPolicy.Move;
import io.github.leaderelection.zookeeper.placement.SpreadPolicy.Plan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Connections that spread elections in virtual time: loads are published with heartbeats and so are always a little old,
 * moves take a while, and connections join, leave, crash and freeze. Everything follows from the seed.
 */
final class SpreadWorld {

    static final long MILLIS = 1_000_000L;
    static final long SECONDS = 1_000 * MILLIS;
    static final long SETTLE = 30 * SECONDS;
    static final long PACE = 1_111 * MILLIS;
    private static final long BEAT = 555 * MILLIS;
    private static final int CONCURRENCY = 4;

    private record Task(long at, long number, Runnable action) {}

    final Random random;
    /** The connections that take part, by name. */
    final Map<String, Connection> connections = new TreeMap<>();
    /** Which connections may lead an election; all of them if it is not listed. */
    final Map<Integer, Set<String>> restricted = new HashMap<>();

    final Map<Integer, Integer> movesOf = new HashMap<>();
    int moves;
    /** How long the work of a move may take to drain. */
    long drain = 20 * MILLIS;
    /** How much later than it was sent a heartbeat may be seen: each connection's always by the same time. */
    long lag;

    private final PriorityQueue<Task> tasks = new PriorityQueue<>((one, other) ->
            one.at != other.at ? Long.compare(one.at, other.at) : Long.compare(one.number, other.number));
    private long now = 1;
    private long number;

    SpreadWorld(long seed) {
        random = new Random(seed);
    }

    // time

    void after(long delay, Runnable action) {
        tasks.add(new Task(now + delay, number++, action));
    }

    void run(long duration) {
        long end = now + duration;
        while (!tasks.isEmpty() && tasks.peek().at <= end) {
            Task task = tasks.poll();
            now = Math.max(now, task.at);
            task.action.run();
        }
        now = end;
    }

    // what happens to the connections

    Connection join(String name, boolean spreads) {
        Connection joined = new Connection(name, spreads);
        connections.put(name, joined);
        disturbAll();
        return joined;
    }

    Connection join(String name) {
        return join(name, true);
    }

    /** Hands each election to the connection that leads least. */
    void leave(String name) {
        Connection leaving = connections.remove(name);
        disturbAll();
        leaving.stop();
        for (int election : List.copyOf(leaving.led)) {
            String to = leaving.policy.leastLoaded(receivers(election, leaving));
            leaving.policy.given(to);
            leaving.led.remove(election);
            after(latency(), () -> connections.get(to).lead(election));
        }
    }

    /** One or two heirs take over. */
    void crash(String name) {
        Connection crashed = connections.remove(name);
        crashed.stop();
        List<String> left = new ArrayList<>(connections.keySet());
        List<String> heirs = List.of(left.get(random.nextInt(left.size())), left.get(random.nextInt(left.size())));
        after(3 * SECONDS, () -> {
            for (int election : crashed.led) {
                connections.get(heirs.get(random.nextInt(2))).lead(election);
            }
            crashed.led.clear();
        });
        after(10 * SECONDS, this::disturbAll);
        disturbAll();
    }

    private void disturbAll() {
        connections.values().forEach(Connection::disturbed);
    }

    void resetMoves() {
        moves = 0;
        movesOf.clear();
    }

    /** How many elections have to move at least. */
    int excess() {
        int total = loads().stream().mapToInt(Integer::intValue).sum();
        int size = connections.size();
        int[] sorted = loads().stream()
                .sorted((a, b) -> b - a)
                .mapToInt(Integer::intValue)
                .toArray();
        int excess = 0;
        for (int i = 0; i < size; i++) {
            excess += Math.max(0, sorted[i] - total / size - (i < total % size ? 1 : 0));
        }
        return excess;
    }

    Collection<Integer> loads() {
        return connections.values().stream().map(each -> each.led.size()).toList();
    }

    int spread() {
        return loads().stream().mapToInt(Integer::intValue).max().orElse(0)
                - loads().stream().mapToInt(Integer::intValue).min().orElse(0);
    }

    private Set<String> receivers(int election, Connection leader) {
        Set<String> receivers = new LinkedHashSet<>(connections.keySet());
        receivers.remove(leader.name);
        receivers.retainAll(restricted.getOrDefault(election, receivers));
        return receivers;
    }

    private long latency() {
        return (long) (random.nextDouble() * 20 * MILLIS) + MILLIS;
    }

    /** One connection, with the policy and what the engine does around it. */
    final class Connection {

        final String name;
        final Set<Integer> led = new LinkedHashSet<>();
        boolean frozen;
        private final boolean spreads;
        private final SpreadPolicy<Integer> policy = new SpreadPolicy<>(SETTLE);
        private final Deque<Move<Integer>> planned = new ArrayDeque<>();
        private final long lag = (long) (random.nextDouble() * SpreadWorld.this.lag);
        private Load sent = new Load(0, 0);
        private Load published = sent;
        private long lookAt;
        private int underWay;
        private boolean stopped;
        private int draining;

        Connection(String name, boolean spreads) {
            this.name = name;
            this.spreads = spreads;
            after((long) (random.nextDouble() * BEAT), this::beat);
        }

        void stop() {
            stopped = true;
        }

        private void beat() {
            if (!stopped) {
                int holds = led.size() + draining;
                if (!frozen && (holds > 0 || sent.led() > 0)) {
                    Load load = new Load(holds, sent.version() + 1);
                    sent = load;
                    after(lag, () -> published = load);
                }
                after(BEAT, this::beat);
            }
        }

        void lead(int election) {
            if (stopped) {
                // Left in the meantime: somebody else takes over.
                connections.values().iterator().next().lead(election);
                return;
            }
            if (led.isEmpty()) {
                disturbed();
            }
            led.add(election);
            lookNoLaterThan(now + PACE);
        }

        private void disturbed() {
            policy.disturbed(now);
            planned.clear();
            lookNoLaterThan(now + PACE);
        }

        private void lookNoLaterThan(long at) {
            if (spreads && (lookAt == 0 || at < lookAt)) {
                lookAt = at;
                after(at - now, () -> {
                    if (lookAt == at) {
                        lookAt = 0;
                        look();
                    }
                });
            }
        }

        private void look() {
            if (stopped || frozen || led.isEmpty() || underWay > 0 || !planned.isEmpty()) {
                return;
            }
            Map<String, Load> loads = new HashMap<>();
            List<Movable<Integer>> movable = new ArrayList<>();
            Set<String> everyone = receivers(-1, this);
            for (int election : led) {
                movable.add(new Movable<>(election, restricted.isEmpty() ? everyone : receivers(election, this)));
            }
            Set<String> receivers = new HashSet<>(restricted.isEmpty() ? everyone : Set.of());
            movable.forEach(each -> receivers.addAll(restricted.isEmpty() ? Set.of() : each.receivers()));
            receivers.forEach(each -> loads.put(each, connections.get(each).published));
            Plan<Integer> plan = policy.look(now, name, led.size(), movable, loads, PACE);
            planned.addAll(plan.moves());
            if (planned.isEmpty()) {
                lookNoLaterThan(plan.lookAt());
            } else {
                proceed();
            }
        }

        private void proceed() {
            while (underWay < CONCURRENCY && !planned.isEmpty()) {
                underWay++;
                Move<Integer> move = planned.poll();
                after(latency(), () -> moveIfConfirmed(move));
            }
            if (underWay == 0 && planned.isEmpty()) {
                lookNoLaterThan(now + PACE);
            }
        }

        private void moveIfConfirmed(Move<Integer> move) {
            Connection to = connections.get(move.receiver());
            if (stopped
                    || to == null
                    || !led.contains(move.election())
                    || !policy.confirms(name, led.size(), move.receiver(), to.published)) {
                done();
                return;
            }
            policy.given(move.receiver());
            led.remove(move.election());
            moves++;
            movesOf.merge(move.election(), 1, Integer::sum);
            draining++;
            after(latency() + (long) (random.nextDouble() * drain), () -> {
                draining--;
                to.lead(move.election());
                done();
            });
        }

        private void done() {
            underWay--;
            proceed();
        }
    }

    @Override
    public String toString() {
        Map<String, Integer> loads = new LinkedHashMap<>();
        connections.forEach((name, connection) -> loads.put(name, connection.led.size()));
        return loads.toString();
    }
}
