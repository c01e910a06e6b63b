package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.LeaderRecord.State;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * Ends an election for everyone. It marks the record as ended, so that no candidate can claim any more; deletes the
 * candidates, the leader last; waits until the leader has acknowledged or its lease must be over; then deletes the
 * record and the node. If another client interferes or the connection is lost, it starts again.
 */
final class ElectionDeletion extends ConnectionTask {

    private static final long PAUSE = 100_000_000L;

    private final String path;
    private final String record;
    private final Runnable done;
    private final Consumer<ElectionException> failed;
    private final CompletableFuture<Void> answered = new CompletableFuture<>();
    private boolean marked;
    private boolean awaitingLeader;
    private boolean over;

    /** @param marked whether the election has ended already; then a new election at the path is never deleted */
    ElectionDeletion(Engine engine, String path, boolean marked, Runnable done, Consumer<ElectionException> failed) {
        super(engine);
        this.path = path;
        this.record = Paths.child(path, LeaderRecord.NODE);
        this.marked = marked;
        this.done = done;
        this.failed = failed;
    }

    /** Completes when ZooKeeper has answered for the first time. */
    CompletableFuture<Void> answered() {
        return answered;
    }

    @Override
    boolean isOver() {
        return over;
    }

    @Override
    void closed(ElectionClosedException cause) {
        over = true;
        failed.accept(cause);
        answered.complete(null);
    }

    @Override
    void changed(String changed, EventType type) {
        if (awaitingLeader && changed.equals(record)) {
            awaitLeader(false);
        }
    }

    @Override
    void start() {
        awaitingLeader = false;
        request(new Request.Get(record, false), found -> list(candidates -> mark(found, candidates)));
    }

    private void mark(Reply found, List<NodeName> candidates) {
        LeaderRecord read = LeaderRecord.parse(found.data()).orElse(null);
        if (read != null && read.state() == State.ENDED) {
            marked = true;
            deleteCandidates(candidates, read.holder(), found.stat().getMzxid());
        } else if (marked) {
            // The election that has ended is gone; this is another one.
            finish();
        } else if (found.noNode() && candidates.isEmpty()) {
            request(new Request.Delete(path, -1), reply -> finish());
        } else {
            LeaderRecord last = read != null ? read : LeaderRecord.held("", 0, engine.connection.sessionTimeout());
            byte[] ended = last.ended().toJson();
            Request write = found.noNode()
                    ? new Request.Create(record, ended, CreateMode.PERSISTENT)
                    : new Request.Set(record, ended, found.stat().getVersion());
            request(write, reply -> {
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
     * From the tail, and the leader last, so that none of them becomes the first. Candidates that joined after the end
     * notice it themselves.
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
            request(new Request.Exists(candidate), found -> {
                if (found.ok() && found.stat().getCzxid() < endedAt) {
                    request(new Request.Delete(candidate, -1), this::candidateDeleted);
                }
            });
        }
        // Replies are ordered: after this one all deletions are sent, and after the next one they are complete.
        request(new Request.Exists(path), reply -> awaitLeader(false));
    }

    private void candidateDeleted(Reply reply) {
        if (!reply.ok() && !reply.noNode()) {
            fail("delete a candidate of", reply);
        }
    }

    private void awaitLeader(boolean leaseOver) {
        request(new Request.Get(record, true), found -> {
            LeaderRecord read = LeaderRecord.parse(found.data()).orElse(null);
            if (found.noNode() || read != null && read.state() != State.ENDED) {
                // Another client has completed the deletion, and the election may have begun afresh.
                finish();
            } else if (leaseOver || read != null && read.acknowledged()) {
                awaitingLeader = false;
                deleteRecord(found.stat().getVersion());
            } else if (!awaitingLeader) {
                awaitingLeader = true;
                long lease = read != null ? read.lease() : engine.connection.sessionTimeout();
                after(LeaderRecord.waitNanos(lease), () -> awaitLeader(true));
            }
        });
    }

    /** Deletes the election's node as well, unless it has foreign children. */
    private void deleteRecord(int version) {
        Request delete = new Request.Delete(record, version);
        request(new Request.Multi(List.of(delete, new Request.Delete(path, -1))), reply -> {
            if (reply.code() != Code.NOTEMPTY) {
                finishOrRetry(reply);
                return;
            }
            list(candidates -> {
                if (candidates.isEmpty()) {
                    request(delete, this::finishOrRetry);
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
        request(new Request.Children(path, false), reply -> {
            if (reply.noNode()) {
                finish();
            } else if (reply.ok()) {
                onCandidates.accept(CandidateQueue.of(reply.children(), 0).nodes());
            } else {
                fail("list the candidates of", reply);
            }
        });
    }

    private void request(Request request, Consumer<Reply> onReply) {
        send(request, reply -> {
            answered.complete(null);
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

    private void finish() {
        over = true;
        done.run();
    }

    private void fail(String what, Reply reply) {
        over = true;
        failed.accept(reply.failure(what + " election " + path));
    }
}
