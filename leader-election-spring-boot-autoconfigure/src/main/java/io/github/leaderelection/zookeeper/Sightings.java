package io.github.leaderelection.zookeeper;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * When the beats of other connections were last seen. A persistent watch tells of every beat in order, so whoever has
 * kept one in sight knows that none was sent after the last sighting. A lost connection ends that knowledge.
 */
final class Sightings {

    /** A predecessor that leaves is often back soon, behind us or behind others: what is watched stays for a while. */
    private static final long KEPT = 2_000_000_000L;

    private final Wire wire;
    private final Timers timers;
    private final Clock clock;
    private final Map<String, Sighting> byBeat = new HashMap<>();
    /** Watches whose removal was lost with the connection; the client has set them again. */
    private final Set<String> leftovers = new HashSet<>();

    private static final class Sighting {
        int users;
        boolean watched;
        boolean seen;
        long lastNanos;
    }

    Sightings(Wire wire, Timers timers, Clock clock) {
        this.wire = wire;
        this.timers = timers;
        this.clock = clock;
    }

    OptionalLong last(String beat) {
        Sighting sighting = byBeat.get(beat);
        return sighting != null && sighting.watched && sighting.seen
                ? OptionalLong.of(sighting.lastNanos)
                : OptionalLong.empty();
    }

    void observe(String beat) {
        Sighting sighting = byBeat.get(beat);
        if (sighting == null) {
            sighting = new Sighting();
            byBeat.put(beat, sighting);
            watch(beat, sighting);
        }
        sighting.users++;
    }

    void release(String beat) {
        Sighting sighting = byBeat.get(beat);
        if (sighting != null && --sighting.users == 0) {
            timers.at(clock.nanos() + KEPT, () -> {
                if (sighting.users == 0 && byBeat.remove(beat, sighting)) {
                    unwatch(beat);
                }
            });
        }
    }

    /** Takes off all watches. */
    void end() {
        List.copyOf(byBeat.keySet()).forEach(this::unwatch);
        byBeat.clear();
    }

    private void unwatch(String beat) {
        wire.send(new Request.RemoveWatches(beat, true), reply -> {
            if (reply.ambiguous()) {
                leftovers.add(beat);
            }
        });
    }

    private void watch(String beat, Sighting sighting) {
        // What was answered after the connection was known to be lost does not count.
        sighting.watched = false;
        sighting.seen = false;
        wire.send(new Request.AddWatch(beat), reply -> sighting.watched = reply.ok());
        wire.send(new Request.Get(beat, false), reply -> {
            if (reply.ok()) {
                see(sighting);
            }
        });
    }

    /** Something happened to the beat: at least up to now we know of everything. */
    void changed(String beat) {
        Sighting sighting = byBeat.get(beat);
        if (sighting != null) {
            see(sighting);
        }
    }

    /** The watch was taken away, by somebody on the same connection. */
    void unwatched(String beat) {
        Sighting sighting = byBeat.get(beat);
        if (sighting != null) {
            watch(beat, sighting);
        }
    }

    private void see(Sighting sighting) {
        sighting.seen = true;
        sighting.lastNanos = clock.nanos();
    }

    void disconnected() {
        for (Sighting sighting : byBeat.values()) {
            sighting.watched = false;
            sighting.seen = false;
        }
    }

    void reconnected() {
        List<String> again = List.copyOf(leftovers);
        leftovers.clear();
        again.stream().filter(beat -> !byBeat.containsKey(beat)).forEach(this::unwatch);
        byBeat.forEach(this::watch);
    }

    /** The session is gone, and all its watches with it; whoever follows on the next one watches anew. */
    void expired() {
        byBeat.clear();
        leftovers.clear();
    }
}
