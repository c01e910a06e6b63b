package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.LeaderRecord.State;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * Ends an election for everyone. It marks the record as ended, so that no candidate can claim any more; deletes the candidates,
 * the leader last; waits until the leader has acknowledged or its lease must be over; then deletes the record and the node.
 * Where another client interferes, or the connection is lost, it starts again.
 */
final class ElectionDeletion implements ConnectionObserver {

    private static final long PAUSE = 100_000_000L;

    private final String path;
    private final String record;
    private final AsyncClient client;
    private final Timers timers;
    private final Clock clock;
    private final LongSupplier sessionTimeout;
    private final Runnable done;
    private final Consumer<ElectionException> failed;
    private boolean marked;
    private boolean awaitingLeader;
    private boolean over;
    private int attempt;

    /** @param marked whether the election has ended already; then no other election is ever deleted */
    ElectionDeletion(
            String path,
            AsyncClient client,
            Timers timers,
            Clock clock,
            LongSupplier sessionTimeout,
            boolean marked,
            Runnable done,
            Consumer<ElectionException> failed) {
        this.path = path;
        this.record = Paths.child(path, LeaderRecord.NODE);
        this.client = client;
        this.timers = timers;
        this.clock = clock;
        this.sessionTimeout = sessionTimeout;
        this.marked = marked;
        this.done = done;
        this.failed = failed;
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public void changed(String changed, EventType type) {
        if (awaitingLeader && changed.equals(record)) {
            awaitLeader(false);
        }
    }

    /** Starts from the beginning: replies may have been lost along with the last connection. */
    @Override
    public void connected() {
        attempt++;
        awaitingLeader = false;
        send(new Request.Get(record, false), found -> list(candidates -> mark(found, candidates)));
    }

    private void mark(Reply found, List<NodeName> candidates) {
        LeaderRecord read = found.content().flatMap(LeaderRecord::parse).orElse(null);
        if (read != null && read.state() == State.ENDED) {
            marked = true;
            deleteCandidates(candidates, read.holder(), found.stat().getMzxid());
        } else if (marked) {
            // The election that has ended is gone; this is another one.
            finish();
        } else if (found.noNode() && candidates.isEmpty()) {
            send(new Request.Delete(path, -1), reply -> finish());
        } else {
            LeaderRecord last = read != null ? read : LeaderRecord.held("", 0, sessionTimeout.getAsLong());
            byte[] ended = last.ended().toJson();
            Request write = found.noNode()
                    ? new Request.Create(record, ended, CreateMode.PERSISTENT)
                    : new Request.Set(record, ended, found.stat().getVersion());
            send(write, reply -> {
                marked = reply.ok();
                if (marked) {
                    connected();
                } else {
                    retry();
                }
            });
        }
    }

    /**
     * From the tail, so that none of them becomes the first one, and the leader last. Those that joined after the end find it
     * out by themselves.
     */
    private void deleteCandidates(List<NodeName> candidates, String leader, long endedAt) {
        List<String> names = new ArrayList<>();
        for (int i = candidates.size() - 1; i >= 0; i--) {
            names.add(candidates.get(i).name());
        }
        if (names.remove(leader)) {
            names.add(leader);
        }
        for (String name : names) {
            String candidate = Paths.child(path, name);
            send(new Request.Exists(candidate), found -> {
                if (found.ok() && found.stat().getCzxid() < endedAt) {
                    send(new Request.Delete(candidate, -1), this::candidateDeleted);
                }
            });
        }
        // Replies come in order: after this one all deletions are sent, and after the next one they are done.
        send(new Request.Exists(path), reply -> awaitLeader(false));
    }

    private void candidateDeleted(Reply reply) {
        if (!reply.ok() && !reply.noNode()) {
            fail("delete a candidate of", reply);
        }
    }

    private void awaitLeader(boolean leaseOver) {
        send(new Request.Get(record, true), found -> {
            LeaderRecord read = LeaderRecord.parse(found.data()).orElse(null);
            if (found.noNode() || read != null && read.state() != State.ENDED) {
                // Another client has completed the deletion, and the election may have begun afresh.
                finish();
            } else if (leaseOver || read != null && read.acknowledged()) {
                awaitingLeader = false;
                deleteRecord(found.stat().getVersion());
            } else if (!awaitingLeader) {
                awaitingLeader = true;
                long lease = read != null ? read.lease() : sessionTimeout.getAsLong();
                after(lease * 1_100_000, () -> awaitLeader(true));
            }
        });
    }

    /** Along with the election's node, unless that has foreign children. */
    private void deleteRecord(int version) {
        Request delete = new Request.Delete(record, version);
        send(new Request.Multi(List.of(delete, new Request.Delete(path, -1))), reply -> {
            if (reply.code() != Code.NOTEMPTY) {
                finishOrRetry(reply);
                return;
            }
            list(candidates -> {
                if (candidates.isEmpty()) {
                    send(delete, this::finishOrRetry);
                } else {
                    retry();
                }
            });
        });
    }

    private void finishOrRetry(Reply reply) {
        if (reply.ok() || reply.noNode()) {
            finish();
        } else {
            retry();
        }
    }

    /** A list that cannot be read must not be taken for an empty one. */
    private void list(Consumer<List<NodeName>> onCandidates) {
        send(new Request.Children(path, false), reply -> {
            if (reply.noNode()) {
                finish();
            } else if (reply.ok()) {
                onCandidates.accept(CandidateQueue.of(reply.children(), 0).nodes());
            } else {
                fail("list the candidates of", reply);
            }
        });
    }

    /** A reply that is lost, or belongs to an earlier attempt, is ignored: the next connection starts again. */
    private void send(Request request, Consumer<Reply> onReply) {
        int sentIn = attempt;
        client.send(request, reply -> {
            if (over || sentIn != attempt || reply.ambiguous()) {
                return;
            }
            if (reply.code() == Code.NOAUTH) {
                fail("delete", reply);
            } else {
                onReply.accept(reply);
            }
        });
    }

    private void retry() {
        after(PAUSE, this::connected);
    }

    private void after(long nanos, Runnable task) {
        int setIn = attempt;
        timers.at(clock.nanos() + nanos, () -> {
            if (!over && setIn == attempt) {
                task.run();
            }
        });
    }

    private void finish() {
        over = true;
        done.run();
    }

    private void fail(String what, Reply reply) {
        over = true;
        failed.accept(reply.failure(what + " election " + path));
    }
}
