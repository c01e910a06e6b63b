package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Heirs;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections that inherit from this one. Each of them observes every heartbeat of this connection, so the elections
 * should agree on two of them. Once per lease it looks whether they are alive: an heir sends two heartbeats per lease.
 * Confined to the loop.
 */
final class HeirConnections {

    private static final int FEW = 2;

    private final AsyncClient client;
    private final Clock clock;
    private final ConnectionState connection;
    private final String heartbeats;
    private final HostedElections elections;
    private final DeadlineTimer nextLook;
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, Integer> versions = new HashMap<>();
    /** Since when, by the monotonic clock. */
    private final Map<String, Long> silent = new HashMap<>();

    private boolean changed;
    private Heirs heirs = Heirs.NONE;

    /** @param heartbeats the node that holds the heartbeats of all connections */
    HeirConnections(
            AsyncClient client,
            Timers timers,
            Clock clock,
            ConnectionState connection,
            String heartbeats,
            HostedElections elections) {
        this.client = client;
        this.clock = clock;
        this.connection = connection;
        this.heartbeats = heartbeats;
        this.elections = elections;
        this.nextLook = new DeadlineTimer(timers, this::look);
    }

    Heirs heirs() {
        return heirs;
    }

    /** An election has another heir. */
    void replace(@Nullable String before, @Nullable String after) {
        if (Objects.equals(before, after)) {
            return;
        }
        if (before != null) {
            counts.computeIfPresent(before, (heir, count) -> count == 1 ? null : count - 1);
        }
        if (after != null) {
            counts.merge(after, 1, Integer::sum);
            scheduleLook();
        }
        changed = true;
        update();
    }

    private void update() {
        List<String> preferred = new ArrayList<>(counts.keySet());
        preferred.sort(
                Comparator.<String>comparingInt(counts::get).reversed().thenComparing(Comparator.naturalOrder()));
        heirs = new Heirs(
                List.copyOf(preferred.subList(0, Math.min(FEW, preferred.size()))), Set.copyOf(silent.keySet()));
    }

    private void scheduleLook() {
        nextLook.noLaterThan(clock.nanos() + connection.lease() * 1_000_000);
    }

    private void look() {
        // One that is no longer an heir need not move. It was not expired, so it deserves another chance.
        long forgetBefore = clock.nanos() - connection.sessionTimeout() * 1_000_000;
        if (silent.values().removeIf(since -> since - forgetBefore < 0)) {
            update();
        }
        versions.keySet().removeIf(heir -> !counts.containsKey(heir) && !silent.containsKey(heir));
        Set<String> watched = new HashSet<>(counts.keySet());
        watched.addAll(silent.keySet());
        if (watched.isEmpty()) {
            return;
        }
        scheduleLook();
        if (!connection.isUp()) {
            versions.clear();
            return;
        }
        for (String heir : watched) {
            client.send(new Request.Exists(Paths.child(heartbeats, heir)), reply -> {
                if (reply.ok()) {
                    Integer before = versions.put(heir, reply.stat().getVersion());
                    seen(heir, before == null || before != reply.stat().getVersion());
                } else if (reply.noNode()) {
                    seen(heir, true);
                }
            });
        }
        if (changed && counts.size() > FEW) {
            changed = false;
            reconsider(heir -> !heirs.preferred().contains(heir));
        }
    }

    private void seen(String heir, boolean moves) {
        boolean news = moves ? silent.remove(heir) != null : silent.putIfAbsent(heir, clock.nanos()) == null;
        if (news) {
            update();
            if (!moves) {
                reconsider(heir::equals);
            }
        }
    }

    /** Lets the elections with such heirs choose again. */
    private void reconsider(Predicate<String> concerned) {
        for (HostedElection hosted : elections.all()) {
            String heir = hosted.election().heirConnection();
            if (heir != null && concerned.test(heir)) {
                hosted.handle(new Event.Recheck());
            }
        }
    }
}
