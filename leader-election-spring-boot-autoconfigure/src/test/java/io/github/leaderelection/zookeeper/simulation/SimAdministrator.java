package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Changes nodes behind the back of their owners. */
final class SimAdministrator {

    private static final byte[] NO_DATA = {};
    /** More heartbeats than a leader sends in two leases. */
    private static final int WRITTEN_OFTEN = 12;

    private static final byte[] CORRUPT = {'{', '?'};

    private final SimChaos chaos;
    private final SimTargets targets;
    private final SimScheduler scheduler;
    private final SimQuorum quorum;
    private int foreignNodes;

    SimAdministrator(SimChaos chaos, SimTargets targets, Simulation simulation) {
        this.chaos = chaos;
        this.targets = targets;
        this.scheduler = simulation.scheduler();
        this.quorum = simulation.quorum();
    }

    void perform(SimAction action) {
        switch (action) {
            case DELETE_NODE -> delete(targets.anyCandidate());
            case DELETE_LEADER_NODE -> delete(targets.leaderNode());
            case DELETE_RECORD -> delete(record());
            case CORRUPT_RECORD -> commit(new Request.Set(record(), CORRUPT, -1));
            case DELETE_HEARTBEAT -> delete(targets.anyHeartbeat());
            case DELETE_LEADER_HEARTBEAT -> delete(targets.leaderHeartbeat());
            case REPLACE_HEARTBEAT ->
                replaceHeartbeat(
                        scheduler.chance(0.7) ? targets.leaderHeartbeat() : targets.anyHeartbeat(),
                        scheduler.chance(0.7) ? 0 : 400);
            case REWRITE_NODE -> rewrite(targets.anyCandidate());
            case REWRITE_LEADER_NODE -> rewrite(targets.leaderNode());
            case FOREIGN_CHILD -> createForeignChild(targets.path());
            case FOREIGN_CANDIDATE -> createForeignCandidate();
            case WIPE -> wipe(targets.path());
            case WIPE_ALL -> wipe(Simulation.ROOT);
            case CREATE_PATH -> createPath(targets.path());
            case OVERFLOW -> countFrom(targets.path(), Integer.MAX_VALUE - scheduler.pick(4));
            case DENY -> {
                quorum.deny(targets.path() + "/c-");
                chaos.later(500, 3_000, () -> quorum.deny(null));
            }
            case DENY_DELETES -> {
                quorum.denyDeletesOfOthers(true);
                chaos.later(500, 5_000, () -> quorum.denyDeletesOfOthers(false));
            }
            case ALLOW -> {
                quorum.deny(null);
                quorum.denyDeletesOfOthers(false);
            }
            default -> throw new IllegalArgumentException(action.name());
        }
    }

    private String record() {
        return targets.path() + "/" + LeaderRecord.NODE;
    }

    private void commit(Request request) {
        if (quorum.isUp()) {
            quorum.commit(0, "admin", request);
        }
    }

    void delete(@Nullable String path) {
        if (path != null) {
            commit(new Request.Delete(path, -1));
        }
    }

    /** Writes the bytes that are there already, so that only the version grows and watches trigger. */
    void rewrite(@Nullable String path) {
        SimTree.@Nullable Node node = path == null ? null : quorum.tree().get(path);
        if (path != null && node != null) {
            commit(new Request.Set(path, node.data(), -1));
        }
    }

    /**
     * Deletes a heartbeat and creates another node under its name, which is persistent or belongs to another session. Only a
     * heartbeat that was written often: the new one has the same version again as soon as it was written as often, which no
     * candidate could tell from the old one, however long ago it has seen that version.
     */
    void replaceHeartbeat(@Nullable String path, long mostMillisBetween) {
        SimTree.@Nullable Node old = path == null ? null : quorum.tree().get(path);
        if (path == null || old == null || old.version() < WRITTEN_OFTEN || !quorum.isUp()) {
            return;
        }
        SimQuorum.@Nullable Session other = scheduler.chance(0.5) ? quorum.open(60_000) : null;
        long owner = other == null ? 0 : other.id;
        quorum.commit(0, "admin", new Request.Delete(path, -1));
        chaos.later(0, mostMillisBetween, () -> {
            if (quorum.isUp() && quorum.tree().get(path) == null) {
                quorum.commit(0, "admin", transaction -> transaction.createAs(owner, path));
            }
        });
        scheduler.after(scheduler.millis(200, 5_000), () -> {
            if (other != null) {
                quorum.expire(other);
            } else {
                deleteIfPersistent(path);
            }
        });
    }

    private void deleteIfPersistent(String path) {
        SimTree.@Nullable Node node = quorum.tree().get(path);
        if (node != null && node.owner() == 0) {
            quorum.commit(0, "admin", new Request.Delete(path, -1));
        }
    }

    void createForeignChild(String path) {
        commit(new Request.Create(path + "/c-odd" + ++foreignNodes + "-x", NO_DATA, CreateMode.PERSISTENT));
    }

    private void createForeignCandidate() {
        String node = targets.path() + "/c-ghost" + ++foreignNodes + "-000000000" + scheduler.pick(9);
        commit(new Request.Create(node, NO_DATA, CreateMode.PERSISTENT));
        chaos.later(100, 4_000, () -> delete(node));
    }

    private void createPath(String path) {
        Paths.fromTop(path).forEach(each -> commit(new Request.Create(each, NO_DATA, CreateMode.PERSISTENT)));
    }

    /** Deletes everything, in one transaction or node by node. */
    void wipe(String path) {
        if (scheduler.chance(0.5) && quorum.isUp()) {
            quorum.commit(0, "admin", transaction -> {
                quorum.tree().subtree(path).forEach(each -> transaction.delete(each, -1));
                return Reply.of(Code.OK);
            });
        } else {
            quorum.tree().subtree(path).forEach(this::delete);
        }
        if (scheduler.chance(0.3)) {
            chaos.later(0, 300, () -> createPath(targets.path()));
        }
    }

    /** Only forward, since the order of the queue and the count of deletions depend on it. */
    private void countFrom(String path, int from) {
        SimTree.@Nullable Node node = quorum.tree().get(path);
        if (node != null && node.creates() < from) {
            quorum.commit(0, "admin", transaction -> {
                transaction.put(path, node.created(from));
                return Reply.of(Code.OK);
            });
        }
    }
}
