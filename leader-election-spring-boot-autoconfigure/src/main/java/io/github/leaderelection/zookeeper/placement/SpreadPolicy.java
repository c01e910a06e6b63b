package io.github.leaderelection.zookeeper.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which elections a connection gives to others, so that in the end none leads two more than another that could
 * lead one of them. Its input is the load in the others' heartbeats; its output is moves, and the time of the next
 * look. To avoid needless moves, it waits until no connection has joined or left for a while, gives only its own part
 * of the surplus, only to live connections, and only if a fresh read of the receiver's load agrees.
 *
 * @param <E> an election
 */
public final class SpreadPolicy<E> {

    /**
     * What a connection's heartbeat says.
     *
     * @param led how many elections it leads
     * @param version changes with every heartbeat
     */
    public record Load(int led, int version) {}

    /** An election that may be given to one of those connections. */
    public record Movable<E>(E election, Collection<String> receivers) {}

    public record Move<E>(E election, String receiver) {}

    /**
     * What to do.
     *
     * @param lookAt when to look at the loads again if there are no moves, in nanoseconds
     */
    public record Plan<E>(List<Move<E>> moves, long lookAt) {}

    private final long settle;
    private Map<String, Load> looked = Map.of();
    private Map<String, Load> before = Map.of();
    private Map<String, Integer> targets = Map.of();
    private final Map<String, Integer> given = new HashMap<>();
    private Map<String, Integer> stillLoads = Map.of();
    private long stillSince;
    private long lookedAt;
    private long settledAt;
    private int lastSum;
    private int total;
    private int looks;

    /** @param settle how long no connection must have joined or left before elections move, in nanoseconds */
    public SpreadPolicy(long settle) {
        this.settle = settle;
    }

    /** A connection joined or left. */
    public void disturbed(long now) {
        settledAt = now + settle;
    }

    /**
     * Decides on moves, given the loads that were just read.
     *
     * @param own this connection
     * @param led how many elections it leads
     * @param movable those of them that may be given away, in that order
     * @param others the loads of all connections that could lead one of the elections
     * @param pace a time within which each connection that leads sends more than one heartbeat; in nanoseconds
     */
    public Plan<E> look(long now, String own, int led, List<Movable<E>> movable, Map<String, Load> others, long pace) {
        boolean recent = now - lookedAt <= 3 * pace;
        before = looked;
        looked = Map.copyOf(others);
        lookedAt = now;
        given.clear();
        Set<String> receivers = new HashSet<>();
        movable.forEach(each -> receivers.addAll(each.receivers()));
        Map<String, Integer> loads = new HashMap<>(Map.of(own, led));
        receivers.forEach(receiver -> loads.put(receiver, estimate(receiver)));
        Shares shares = Shares.of(own, loads, total(loads, now - settledAt < 0));
        boolean still = loads.equals(stillLoads);
        if (!still) {
            stillLoads = loads;
            stillSince = now;
        }
        long jitter = jitter(own, pace);
        if (now - settledAt < 0) {
            return new Plan<>(List.of(), settledAt + jitter);
        }
        targets = shares.targets();
        Map<String, Integer> gifts = new LinkedHashMap<>(shares.gifts());
        if (assign(movable, gifts).isEmpty() && now - stillSince >= settle) {
            // The connections whose turn it is do not or cannot move: two that share an election level out.
            gifts = level(own, led, receivers);
        }
        boolean wanted = !assign(movable, gifts).isEmpty();
        gifts.keySet().removeIf(receiver -> !isAlive(receiver, recent));
        List<Move<E>> moves = assign(movable, gifts);
        return new Plan<>(moves, now + (wanted || !still ? pace + jitter / 4 : settle + jitter));
    }

    /**
     * How many elections there are. While elections move, the sum of the loads may be wrong: one that has just moved is
     * counted by both sides, or by neither. So only a sum that was seen before any move, or twice in a row, counts.
     */
    private int total(Map<String, Integer> loads, boolean calm) {
        int sum = loads.values().stream().mapToInt(Integer::intValue).sum();
        if (calm || sum == lastSum || total == 0) {
            total = sum;
        }
        lastSum = sum;
        return total;
    }

    /** Depends on the connection's name, so that not all connections look at the same time. */
    private long jitter(String own, long most) {
        int mixed = (own.hashCode() + looks++) * 0x9E3779B9;
        return (long) ((mixed >>> 8) / (double) (1 << 24) * most);
    }

    /** The part of the surplus that evens out the loads of this connection and of the least loaded one. */
    private Map<String, Integer> level(String own, int led, Set<String> receivers) {
        String least = leastLoaded(receivers);
        int gift = least == null ? 0 : (led - estimate(least)) / 2;
        if (least == null || gift <= 0) {
            return new HashMap<>();
        }
        targets.put(own, led - gift);
        targets.put(least, estimate(least) + gift);
        return new HashMap<>(Map.of(least, gift));
    }

    private List<Move<E>> assign(List<Movable<E>> movable, Map<String, Integer> gifts) {
        Map<String, Integer> left = new LinkedHashMap<>(gifts);
        List<Move<E>> moves = new ArrayList<>();
        for (Movable<E> candidate : movable) {
            for (Map.Entry<String, Integer> gift : left.entrySet()) {
                if (gift.getValue() > 0 && candidate.receivers().contains(gift.getKey())) {
                    moves.add(new Move<>(candidate.election(), gift.getKey()));
                    gift.setValue(gift.getValue() - 1);
                    break;
                }
            }
        }
        return moves;
    }

    /** Whether a move that was planned is still right, given what the receiver's heartbeat says now. */
    public boolean confirms(String own, int led, String receiver, Load fresh) {
        return led > targets.getOrDefault(own, 0)
                && Math.max(fresh.led(), estimate(receiver)) < targets.getOrDefault(receiver, 0);
    }

    /** An election is being given to that connection. */
    public void given(String receiver) {
        given.merge(receiver, 1, Integer::sum);
    }

    /** The live connection that leads the fewest elections, as far as is known; null if there is none. */
    public @Nullable String leastLoaded(Collection<String> connections) {
        return connections.stream()
                .filter(connection -> !isSilent(connection))
                .min(Comparator.comparingInt(this::estimate).thenComparing(Comparator.naturalOrder()))
                .orElse(null);
    }

    /** The load that was last read plus what was given since. A connection that was never read has never led. */
    private int estimate(String connection) {
        Load load = looked.get(connection);
        return (load == null ? 0 : load.led()) + given.getOrDefault(connection, 0);
    }

    /** A leading connection sends heartbeats: without one since the previous look, it is given nothing. */
    private boolean isAlive(String receiver, boolean recent) {
        Load load = looked.get(receiver);
        return load == null || load.led() == 0 || recent && before.containsKey(receiver) && !isSilent(receiver);
    }

    private boolean isSilent(String connection) {
        Load load = looked.get(connection);
        Load earlier = before.get(connection);
        return load != null && earlier != null && load.led() > 0 && load.version() == earlier.version();
    }
}
