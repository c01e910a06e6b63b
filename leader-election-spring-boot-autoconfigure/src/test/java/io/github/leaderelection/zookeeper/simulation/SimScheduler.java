package io.github.leaderelection.zookeeper.simulation;

import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Simulated time: events happen one after the other. All random choices are made here, from one seed. */
final class SimScheduler {

    static final long MILLIS = 1_000_000L;

    private record Event(long at, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final SplittableRandom random;
    private long now = 1_000 * MILLIS;
    private long order;

    SimScheduler(long seed) {
        this.random = new SplittableRandom(seed);
    }

    long now() {
        return now;
    }

    void at(long time, Runnable action) {
        events.add(new Event(Math.max(time, now), order++, action));
    }

    void after(long delay, Runnable action) {
        at(now + delay, action);
    }

    /** Runs the next event, unless it is later than the given time. */
    boolean step(long until) {
        Event next = events.peek();
        if (next == null || next.at > until) {
            now = Math.max(now, until);
            return false;
        }
        events.poll();
        now = next.at;
        next.action.run();
        return true;
    }

    // random choices

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    int pick(int bound) {
        return random.nextInt(bound);
    }

    <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** Both ends included. */
    long between(long low, long high) {
        return high <= low ? low : random.nextLong(low, high + 1);
    }

    double between(double low, double high) {
        return low + (high - low) * random.nextDouble();
    }

    long millis(long low, long high) {
        return between(low * MILLIS, high * MILLIS);
    }
}
