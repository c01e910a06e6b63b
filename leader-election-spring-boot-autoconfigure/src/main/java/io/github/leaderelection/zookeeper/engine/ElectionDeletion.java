package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.LeaderRecord.State;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * Ends an election for everyone: marks the record, so that nobody can claim any more; removes the candidates, the leader
 * last; waits until the leader has acknowledged or its lease must be over; removes what is left. Each step may find that
 * somebody else was faster, or that the connection was lost; then it starts over, until nothing is left to do.
 */
public final class ElectionDeletion implements ConnectionObserver {

    private static final long SOON = 100_000_000L;

    private final String path;
    private final String record;
    private final AsyncClient client;
    private final Timers timers;
    private final Clock clock;
    private final LongSupplier sessionTimeout;
    private final Runnable done;
    private final Consumer<ElectionException> failed;
    private boolean over;
    private boolean marked;
    private int attempt;
    private Runnable onRecordChange = () -> {};

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
        if (changed.equals(record)) {
            onRecordChange.run();
        }
    }

    /** Starts over: what was under way may be lost. */
    @Override
    public void connected() {
        start();
    }

    void start() {
        attempt++;
        onRecordChange = () -> {};
        list(listed -> {
            if (listed.noNode()) {
                finish();
            } else {
                read(found -> mark(listed, found));
            }
        });
    }

    private void mark(Reply listed, Reply found) {
        Optional<LeaderRecord> readable = found.content().flatMap(LeaderRecord::parse);
        boolean ended = readable.isPresent() && readable.get().state() == State.ENDED;
        if (marked && !ended) {
            // What was to be deleted is gone; what is here now is another election.
            finish();
            return;
        }
        if (ended) {
            marked = true;
            surveyCandidates(
                    readable.get(), found.stat().getVersion(), found.stat().getMzxid());
            return;
        }
        boolean candidates =
                !CandidateQueue.of(listed.children(), listed.stat(), 0).nodes().isEmpty();
        LeaderRecord unknown = LeaderRecord.held("", 0, sessionTimeout.getAsLong());
        if (found.noNode() && !candidates) {
            send(new Request.Delete(path, -1), reply -> finish());
        } else if (found.noNode()) {
            mark(new Request.Create(record, unknown.ended().toJson(), CreateMode.PERSISTENT), unknown.ended(), 0);
        } else {
            LeaderRecord end = readable.orElse(unknown).ended();
            int version = found.stat().getVersion();
            mark(new Request.Set(record, end.toJson(), version), end, version + 1);
        }
    }

    private void mark(Request write, LeaderRecord end, int version) {
        send(write, reply -> {
            if (reply.ok()) {
                marked = true;
                surveyCandidates(end, version, reply.stat().getMzxid());
            } else {
                later(this::start);
            }
        });
    }

    /** Whoever joined after the end was marked finds that out by itself, and may start the election afresh. */
    private void surveyCandidates(LeaderRecord ended, int version, long endedAt) {
        list(listed -> {
            List<NodeName> nodes =
                    CandidateQueue.of(listed.children(), listed.stat(), 0).nodes();
            if (nodes.isEmpty()) {
                awaitLeader(ended, version);
                return;
            }
            Set<String> old = new HashSet<>();
            for (int i = 0; i < nodes.size(); i++) {
                String node = nodes.get(i).name();
                boolean last = i == nodes.size() - 1;
                send(new Request.Exists(Paths.child(path, node)), reply -> {
                    if (reply.ok() && reply.stat().getCzxid() < endedAt) {
                        old.add(node);
                    }
                    if (last) {
                        removeCandidates(nodes, old, ended, version);
                    }
                });
            }
        });
    }

    /** From the tail, so that nobody finds itself first; the leader's node last. */
    private void removeCandidates(List<NodeName> nodes, Set<String> old, LeaderRecord ended, int version) {
        List<String> order = new ArrayList<>();
        for (int i = nodes.size() - 1; i >= 0; i--) {
            String node = nodes.get(i).name();
            if (old.contains(node) && !node.equals(ended.holder())) {
                order.add(node);
            }
        }
        if (old.contains(ended.holder())) {
            order.add(ended.holder());
        }
        if (order.isEmpty()) {
            awaitLeader(ended, version);
            return;
        }
        for (int i = 0; i < order.size(); i++) {
            boolean last = i == order.size() - 1;
            send(new Request.Delete(Paths.child(path, order.get(i)), -1), reply -> {
                if (!reply.ok() && !reply.noNode()) {
                    fail("delete a candidate of", reply);
                } else if (last) {
                    awaitLeader(ended, version);
                }
            });
        }
    }

    private void awaitLeader(LeaderRecord ended, int version) {
        if (ended.acknowledged()) {
            remove(version);
            return;
        }
        int mine = attempt;
        onRecordChange = this::watchRecord;
        timers.at(clock.nanos() + ended.lease() * 1_100_000, () -> {
            if (mine == attempt && !over) {
                onRecordChange = () -> {};
                read(found -> removeOrFinish(found, true));
            }
        });
        watchRecord();
    }

    private void watchRecord() {
        send(new Request.Get(record, true), found -> removeOrFinish(found, false));
    }

    private void removeOrFinish(Reply found, boolean waited) {
        if (found.noNode()) {
            finish();
            return;
        }
        Optional<LeaderRecord> now = LeaderRecord.parse(found.data());
        if (now.isPresent() && now.get().state() != State.ENDED) {
            // Cleared by somebody else and begun afresh: that is another election.
            finish();
        } else if (waited || now.isPresent() && now.get().acknowledged()) {
            onRecordChange = () -> {};
            remove(found.stat().getVersion());
        }
    }

    private void remove(int version) {
        Request deleteRecord = new Request.Delete(record, version);
        send(new Request.Multi(List.of(deleteRecord, new Request.Delete(path, -1))), reply -> {
            switch (reply.code()) {
                case OK, NONODE -> finish();
                case NOTEMPTY -> removeRecordAlone(deleteRecord);
                default -> later(this::start);
            }
        });
    }

    private void removeRecordAlone(Request deleteRecord) {
        list(listed -> {
            if (listed.children().stream()
                    .anyMatch(child -> NodeName.parse(child).isPresent())) {
                later(this::start);
            } else {
                send(deleteRecord, reply -> {
                    if (reply.ok() || reply.noNode()) {
                        finish();
                    } else {
                        later(this::start);
                    }
                });
            }
        });
    }

    /** Where it cannot be told who takes part, nobody may take it for nobody. */
    private void list(Consumer<Reply> answer) {
        send(new Request.Children(path, false), listed -> {
            if (listed.ok() || listed.noNode()) {
                answer.accept(listed);
            } else {
                fail("list the candidates of", listed);
            }
        });
    }

    private void read(Consumer<Reply> answer) {
        send(new Request.Get(record, false), answer);
    }

    /** Answers that are lost, refused or out of date end the attempt here; the rest is for the caller. */
    private void send(Request request, Consumer<Reply> answer) {
        int mine = attempt;
        client.send(request, reply -> {
            if (over || mine != attempt || reply.ambiguous()) {
                return;
            }
            if (reply.code() == Code.NOAUTH) {
                fail("delete", reply);
            } else {
                answer.accept(reply);
            }
        });
    }

    private void later(Runnable step) {
        int mine = attempt;
        timers.at(clock.nanos() + SOON, () -> {
            if (mine == attempt && !over) {
                step.run();
            }
        });
    }

    private void finish() {
        if (!over) {
            over = true;
            done.run();
        }
    }

    private void fail(String what, Reply reply) {
        if (!over) {
            over = true;
            failed.accept(new ElectionException(
                    "Cannot %s election %s: %s".formatted(what, path, ErrorTexts.of(reply.code()))));
        }
    }
}
