package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Sighting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The sightings of other connections' heartbeats. A persistent watch reports every heartbeat in order, and each report
 * leads to a read: its version, and a time not before its reply, form a sighting. A lost connection voids it.
 */
final class ObservedHeartbeats implements Function<String, @Nullable Sighting> {

    /** A predecessor that leaves often rejoins soon, so its heartbeat stays watched for a while. */
    private static final long KEPT = 2_000_000_000L;

    private final Engine engine;
    private final Map<String, Observed> byPath = new HashMap<>();
    /** Watches whose removal was lost with the connection; the client has set them again. */
    private final Set<String> leftovers = new HashSet<>();

    private static final class Observed {
        int users;
        boolean watched;

        @Nullable
        Sighting sighting;

        void lost() {
            watched = false;
            sighting = null;
        }

        /** The same version again says nothing new: it was sent before it was first seen. */
        void read(Stat stat, long nanos) {
            var read = new Sighting(stat.getVersion(), stat.getEphemeralOwner(), nanos);
            boolean moved =
                    sighting == null || sighting.version() != read.version() || sighting.session() != read.session();
            sighting = moved ? read : sighting;
        }
    }

    ObservedHeartbeats(Engine engine) {
        this.engine = engine;
    }

    /** The last sighting of that heartbeat; null if one may have been missed. */
    @Override
    public @Nullable Sighting apply(String heartbeat) {
        Observed observed = byPath.get(heartbeat);
        return observed == null ? null : observed.sighting;
    }

    /** Reads that heartbeat again, because its last sighting may be outdated. */
    void sightAgain(String heartbeat) {
        Observed observed = byPath.get(heartbeat);
        if (observed != null) {
            read(heartbeat, observed);
        }
    }

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
            engine.after(KEPT, () -> {
                if (observed.users == 0 && byPath.remove(heartbeat, observed)) {
                    unwatch(heartbeat);
                }
            });
        }
    }

    private void watch(String heartbeat, Observed observed) {
        observed.lost();
        engine.client.send(new Request.AddWatch(heartbeat), reply -> observed.watched = reply.ok());
        read(heartbeat, observed);
    }

    /** R29: version and time come from the same read, so that a version is never taken for older than it is. */
    private void read(String heartbeat, Observed observed) {
        engine.client.send(new Request.Get(heartbeat, false), reply -> {
            if (reply.ok() && observed.watched) {
                observed.read(reply.stat(), engine.clock.nanos());
            }
        });
    }

    private void unwatch(String heartbeat) {
        engine.client.send(new Request.RemoveWatches(heartbeat, true), reply -> {
            if (reply.ambiguous()) {
                leftovers.add(heartbeat);
            } else {
                leftovers.remove(heartbeat);
            }
        });
    }

    void watchTriggered(String path, EventType type) {
        Observed observed = byPath.get(path);
        if (observed == null) {
            return;
        }
        if (type == EventType.PersistentWatchRemoved) {
            // Another user of the connection has removed it.
            watch(path, observed);
        } else if (type != EventType.NodeDeleted) {
            // A deletion is no heartbeat: it comes when the session has expired, long after the last one.
            Sighting before = observed.sighting;
            observed.sighting =
                    before == null ? null : new Sighting(before.version(), before.session(), engine.clock.nanos());
            read(path, observed);
        }
    }

    /** R23: renewals may be missed from now on, so nothing that was seen before counts any more. */
    void disconnected() {
        for (Observed observed : byPath.values()) {
            observed.lost();
        }
    }

    void reconnected() {
        leftovers.removeAll(byPath.keySet());
        leftovers.forEach(this::unwatch);
        byPath.forEach(this::watch);
    }

    /** The watches have ended with the session; on the next one they are set as needed. */
    void expired() {
        byPath.clear();
        leftovers.clear();
    }

    void end() {
        byPath.keySet().forEach(this::unwatch);
        byPath.clear();
    }
}
