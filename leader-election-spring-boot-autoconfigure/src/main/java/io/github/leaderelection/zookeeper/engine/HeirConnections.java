package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Heirs;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections that inherit from this one. Each of them observes every heartbeat of this connection, so the
 * elections should agree on one of them. Once per lease this class checks whether they are alive: an heir sends two
 * heartbeats per lease. Confined to the loop.
 */
final class HeirConnections implements Runnable {

    private final Engine engine;
    private final DeadlineTimer nextLook;
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, Integer> versions = new HashMap<>();
    /** Silent connections, and since when by the monotonic clock. */
    private final Map<String, Long> silent = new HashMap<>();

    private boolean changed;
    private Heirs heirs = Heirs.NONE;

    HeirConnections(Engine engine) {
        this.engine = engine;
        this.nextLook = new DeadlineTimer(engine, this);
    }

    Heirs heirs() {
        return heirs;
    }

    /** An election has chosen another heir. */
    void replace(@Nullable String nodeBefore, @Nullable String node) {
        if (Objects.equals(nodeBefore, node)) {
            return;
        }
        if (nodeBefore != null) {
            count(connectionOf(nodeBefore), -1);
        }
        if (node != null) {
            count(connectionOf(node), 1);
            nextLook.within(engine.connection.lease());
        }
        changed = true;
        update();
    }

    private void count(String heir, int difference) {
        int count = counts.getOrDefault(heir, 0) + difference;
        if (count <= 0) {
            counts.remove(heir);
        } else {
            counts.put(heir, count);
        }
    }

    private static String connectionOf(String node) {
        return NodeName.connection(NodeName.guid(node));
    }

    private void update() {
        String preferred = "";
        int most = 0;
        for (Map.Entry<String, Integer> heir : counts.entrySet()) {
            boolean more = heir.getValue() > most;
            boolean asMany = heir.getValue() == most && heir.getKey().compareTo(preferred) < 0;
            if (more || asMany) {
                preferred = heir.getKey();
                most = heir.getValue();
            }
        }
        heirs = new Heirs(preferred, Set.copyOf(silent.keySet()));
    }

    /** Looks at the heirs' heartbeats. */
    @Override
    public void run() {
        // Forgotten after a session timeout: a connection that is no longer an heir sends no heartbeats anyway.
        long forgetBefore = engine.clock.nanos() - engine.connection.sessionTimeout() * 1_000_000;
        if (silent.values().removeIf(since -> since - forgetBefore < 0)) {
            update();
        }
        versions.keySet().removeIf(heir -> !counts.containsKey(heir) && !silent.containsKey(heir));
        Set<String> watched = new HashSet<>(counts.keySet());
        watched.addAll(silent.keySet());
        if (watched.isEmpty()) {
            return;
        }
        nextLook.within(engine.connection.lease());
        if (!engine.connection.isUp()) {
            versions.clear();
            return;
        }
        for (String heir : watched) {
            engine.client.send(new Request.Exists(engine.heartbeat.pathOf(heir)), reply -> {
                if (reply.ok()) {
                    Integer before = versions.put(heir, reply.stat().getVersion());
                    seen(heir, before == null || before != reply.stat().getVersion());
                } else if (reply.noNode()) {
                    seen(heir, true);
                }
            });
        }
        if (changed && counts.size() > 1) {
            changed = false;
            reconsider(heir -> !heir.equals(heirs.preferred()));
        }
    }

    private void seen(String heir, boolean moves) {
        boolean news = moves ? silent.remove(heir) != null : silent.putIfAbsent(heir, engine.clock.nanos()) == null;
        if (news) {
            update();
            if (!moves) {
                reconsider(heir::equals);
            }
        }
    }

    /** Lets the elections with such heirs choose again. */
    private void reconsider(Predicate<String> concerned) {
        for (HostedElection hosted : engine.elections.all()) {
            String heir = hosted.election().heir();
            if (heir != null && concerned.test(connectionOf(heir))) {
                hosted.handle(new Event.Recheck());
            }
        }
    }
}
