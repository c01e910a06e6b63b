package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * When the beats of other connections were last seen. A persistent watch tells of every beat in order, so whoever has
 * kept one in sight knows that none was sent after the last sighting. A lost connection ends that knowledge.
 */
public final class ObservedHeartbeats {

    /** A predecessor that leaves is often back soon, behind us or behind others: what is watched stays for a while. */
    private static final long KEPT = 2_000_000_000L;

    private final AsyncClient client;
    private final Timers timers;
    private final Clock clock;
    private final Map<String, Observed> byPath = new HashMap<>();
    /** Watches whose removal was lost with the connection; the client has set them again. */
    private final Set<String> leftovers = new HashSet<>();

    private static final class Observed {
        int users;
        boolean watched;
        boolean seen;
        long lastNanos;
    }

    ObservedHeartbeats(AsyncClient client, Timers timers, Clock clock) {
        this.client = client;
        this.timers = timers;
        this.clock = clock;
    }

    OptionalLong last(String heartbeat) {
        Observed observed = byPath.get(heartbeat);
        return observed != null && observed.watched && observed.seen
                ? OptionalLong.of(observed.lastNanos)
                : OptionalLong.empty();
    }

    void observe(String heartbeat) {
        Observed observed = byPath.get(heartbeat);
        if (observed == null) {
            observed = new Observed();
            byPath.put(heartbeat, observed);
            watch(heartbeat, observed);
        }
        observed.users++;
    }

    void release(String heartbeat) {
        Observed observed = byPath.get(heartbeat);
        if (observed != null && --observed.users == 0) {
            timers.at(clock.nanos() + KEPT, () -> {
                if (observed.users == 0 && byPath.remove(heartbeat, observed)) {
                    unwatch(heartbeat);
                }
            });
        }
    }

    /** Takes off all watches. */
    void end() {
        List.copyOf(byPath.keySet()).forEach(this::unwatch);
        byPath.clear();
    }

    private void unwatch(String heartbeat) {
        client.send(new Request.RemoveWatches(heartbeat, true), reply -> {
            if (reply.ambiguous()) {
                leftovers.add(heartbeat);
            }
        });
    }

    private void watch(String heartbeat, Observed observed) {
        // What was answered after the connection was known to be lost does not count.
        observed.watched = false;
        observed.seen = false;
        client.send(new Request.AddWatch(heartbeat), reply -> observed.watched = reply.ok());
        client.send(new Request.Get(heartbeat, false), reply -> {
            if (reply.ok()) {
                see(observed);
            }
        });
    }

    void watchTriggered(String path, EventType type) {
        if (type == EventType.PersistentWatchRemoved) {
            unwatched(path);
        } else if (type != EventType.NodeDeleted) {
            // A deletion is no heartbeat: it comes when the session has expired, long after the last one.
            changed(path);
        }
    }

    /** Moves from one heartbeat to another. */
    void replace(@Nullable String before, @Nullable String after) {
        if (!Objects.equals(before, after)) {
            if (after != null) {
                observe(after);
            }
            if (before != null) {
                release(before);
            }
        }
    }

    /** Something happened to the beat: at least up to now we know of everything. */
    void changed(String heartbeat) {
        Observed observed = byPath.get(heartbeat);
        if (observed != null) {
            see(observed);
        }
    }

    /** The watch was taken away, by somebody on the same connection. */
    void unwatched(String heartbeat) {
        Observed observed = byPath.get(heartbeat);
        if (observed != null) {
            watch(heartbeat, observed);
        }
    }

    private void see(Observed observed) {
        observed.seen = true;
        observed.lastNanos = clock.nanos();
    }

    void disconnected() {
        for (Observed observed : byPath.values()) {
            observed.watched = false;
            observed.seen = false;
        }
    }

    void reconnected() {
        List<String> again = List.copyOf(leftovers);
        leftovers.clear();
        again.stream().filter(heartbeat -> !byPath.containsKey(heartbeat)).forEach(this::unwatch);
        byPath.forEach(this::watch);
    }

    /** The session is gone, and all its watches with it; whoever follows on the next one watches anew. */
    void expired() {
        byPath.clear();
        leftovers.clear();
    }
}
