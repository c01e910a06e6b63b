package io.github.leaderelection.zookeeper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/**
 * A real client that does what it is asked, and then loses or delays the answer, or keeps the request to itself, where a
 * test says so. Also counts the requests.
 */
class LossyZooKeeper extends ZooKeeper {

    /** The request is carried out, or not; the answer is "connection loss". */
    enum Fate {
        LOSE_ANSWER,
        LOSE_REQUEST,
        /** The answer waits for {@link Fault#release()}. */
        DELAY_ANSWER,
        /** The request waits for {@link Fault#release()}. */
        DELAY_REQUEST,
        /** The answer is lost at once, and the request is carried out all the same, at {@link Fault#release()}. */
        LOSE_ANSWER_DELAY_REQUEST
    }

    /** What is to happen to the next request that matches; happens once. */
    static final class Fault {
        private final Fate fate;
        private final BiPredicate<String, String> matches;
        private final CountDownLatch met = new CountDownLatch(1);
        private Runnable held = () -> {};
        private boolean released;

        private Fault(Fate fate, BiPredicate<String, String> matches) {
            this.fate = fate;
            this.matches = matches;
        }

        /** Whether a request has met this fate. */
        boolean isMet() {
            return met.getCount() == 0;
        }

        synchronized void release() {
            released = true;
            held.run();
        }

        private synchronized void hold(Runnable action) {
            if (released) {
                action.run();
            } else {
                held = action;
            }
        }
    }

    private final List<Fault> faults = new CopyOnWriteArrayList<>();
    private final AtomicLong requests = new AtomicLong();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private volatile Predicate<String> deafTo = path -> false;
    /** Whether what is sent now is part of a request that has been noted; touched by the elections' loop only. */
    private boolean apart;

    LossyZooKeeper(String address, int sessionTimeout, Watcher watcher) throws IOException {
        super(address, sessionTimeout, watcher);
    }

    /** The next operation (create, delete, setData, getData, exists, getChildren, sync, multi, addWatch) that matches. */
    Fault next(Fate fate, BiPredicate<String, String> operationAndPath) {
        var fault = new Fault(fate, operationAndPath);
        faults.add(fault);
        return fault;
    }

    Fault next(Fate fate, String operation) {
        return next(fate, (op, path) -> op.equals(operation));
    }

    /** From now on the watches that are set on some paths never tell anything, though they seem to be set. */
    void beDeafTo(Predicate<String> paths) {
        deafTo = paths;
    }

    private Watcher heard(String path, Watcher watcher) {
        return deafTo.test(path) ? null : watcher;
    }

    /** How many requests of the elections' were sent, pings not counted. */
    long requests() {
        return requests.get();
    }

    /** How many requests of one kind are in the log. */
    long requests(String operation) {
        return log.stream().filter(line -> line.startsWith(operation + " ")).count();
    }

    /** "operation path" of each request since the last call. */
    synchronized List<String> drainLog() {
        List<String> copy = List.copyOf(log);
        log.clear();
        return copy;
    }

    private synchronized void note(String operation, String path) {
        requests.incrementAndGet();
        log.add(operation + " " + path);
    }

    /**
     * @param answer delivers an answer, given whether it is a loss
     * @param send sends the request, given where the answer goes
     */
    private void meddle(String operation, String path, Consumer<Consumer<Runnable>> send, Runnable loss) {
        if (!apart) {
            note(operation, path);
        }
        for (Fault fault : faults) {
            if (fault.matches.test(operation, path) && faults.remove(fault)) {
                switch (fault.fate) {
                    case LOSE_ANSWER -> send.accept(answer -> loss.run());
                    case LOSE_REQUEST -> loss.run();
                    case DELAY_ANSWER -> send.accept(fault::hold);
                    case DELAY_REQUEST -> fault.hold(() -> send.accept(Runnable::run));
                    case LOSE_ANSWER_DELAY_REQUEST -> {
                        fault.hold(() -> send.accept(answer -> {}));
                        loss.run();
                    }
                }
                fault.met.countDown();
                return;
            }
        }
        send.accept(Runnable::run);
    }

    private static final int LOSS = Code.CONNECTIONLOSS.intValue();

    @Override
    public void create(
            String path, byte[] data, List<ACL> acl, CreateMode mode, AsyncCallback.Create2Callback cb, Object ctx) {
        meddle(
                "create",
                path,
                to -> super.create(
                        path,
                        data,
                        acl,
                        mode,
                        (rc, p, c, name, stat) -> to.accept(() -> cb.processResult(rc, p, c, name, stat)),
                        ctx),
                () -> cb.processResult(LOSS, path, ctx, null, null));
    }

    @Override
    public void delete(String path, int version, AsyncCallback.VoidCallback cb, Object ctx) {
        meddle(
                "delete",
                path,
                to -> super.delete(path, version, (rc, p, c) -> to.accept(() -> cb.processResult(rc, p, c)), ctx),
                () -> cb.processResult(LOSS, path, ctx));
    }

    @Override
    public void setData(String path, byte[] data, int version, AsyncCallback.StatCallback cb, Object ctx) {
        meddle(
                "setData",
                path,
                to -> super.setData(
                        path,
                        data,
                        version,
                        (rc, p, c, stat) -> to.accept(() -> cb.processResult(rc, p, c, stat)),
                        ctx),
                () -> cb.processResult(LOSS, path, ctx, null));
    }

    @Override
    public void getData(String path, Watcher watcher, AsyncCallback.DataCallback cb, Object ctx) {
        meddle(
                "getData",
                path,
                to -> super.getData(
                        path,
                        heard(path, watcher),
                        (rc, p, c, data, stat) -> to.accept(() -> cb.processResult(rc, p, c, data, stat)),
                        ctx),
                () -> cb.processResult(LOSS, path, ctx, null, null));
    }

    @Override
    public void exists(String path, Watcher watcher, AsyncCallback.StatCallback cb, Object ctx) {
        meddle(
                "exists",
                path,
                to -> super.exists(
                        path, watcher, (rc, p, c, stat) -> to.accept(() -> cb.processResult(rc, p, c, stat)), ctx),
                () -> cb.processResult(LOSS, path, ctx, null));
    }

    @Override
    public void getChildren(String path, Watcher watcher, AsyncCallback.Children2Callback cb, Object ctx) {
        meddle(
                "getChildren",
                path,
                to -> super.getChildren(
                        path,
                        heard(path, watcher),
                        (rc, p, c, names, stat) -> to.accept(() -> cb.processResult(rc, p, c, names, stat)),
                        ctx),
                () -> cb.processResult(LOSS, path, ctx, null, null));
    }

    @Override
    public void sync(String path, AsyncCallback.VoidCallback cb, Object ctx) {
        meddle(
                "sync",
                path,
                to -> super.sync(path, (rc, p, c) -> to.accept(() -> cb.processResult(rc, p, c)), ctx),
                () -> cb.processResult(LOSS, path, ctx));
    }

    @Override
    public void multi(Iterable<Op> ops, AsyncCallback.MultiCallback cb, Object ctx) {
        if (ops.iterator().next().getKind() == Op.OpKind.READ) {
            readAll(ops, cb, ctx);
            return;
        }
        String path = ops.iterator().next().getPath();
        meddle(
                "multi",
                path,
                to -> super.multi(
                        ops, (rc, p, c, results) -> to.accept(() -> cb.processResult(rc, p, c, results)), ctx),
                () -> cb.processResult(LOSS, path, ctx, null));
    }

    /** Reads that go together are one request, but taken apart, so that a test can meddle with each of them. */
    private void readAll(Iterable<Op> ops, AsyncCallback.MultiCallback cb, Object ctx) {
        note("reads", ops.iterator().next().getPath());
        List<OpResult> results = new ArrayList<>();
        ops.forEach(op -> results.add(null));
        var answers = new AtomicInteger();
        int index = 0;
        apart = true;
        for (Op op : ops) {
            int part = index++;
            IntFunction<Consumer<Supplier<OpResult>>> answered = rc -> result -> {
                results.set(part, rc == 0 ? result.get() : new OpResult.ErrorResult(rc));
                if (answers.incrementAndGet() == results.size()) {
                    answerAll(results, cb, ctx);
                }
            };
            if (op.getType() == ZooDefs.OpCode.getChildren) {
                AsyncCallback.Children2Callback listed = (rc, p, c, names, stat) ->
                        answered.apply(rc).accept(() -> new OpResult.GetChildrenResult(names));
                getChildren(op.getPath(), null, listed, null);
            } else {
                AsyncCallback.DataCallback read = (rc, p, c, data, stat) ->
                        answered.apply(rc).accept(() -> new OpResult.GetDataResult(data, stat));
                getData(op.getPath(), null, read, null);
            }
        }
        apart = false;
    }

    /** What loses one answer of a packet loses them all. */
    private static void answerAll(List<OpResult> results, AsyncCallback.MultiCallback cb, Object ctx) {
        int lost = results.stream()
                .filter(OpResult.ErrorResult.class::isInstance)
                .mapToInt(result -> ((OpResult.ErrorResult) result).getErr())
                .filter(rc -> rc == LOSS || rc == Code.SESSIONEXPIRED.intValue())
                .findFirst()
                .orElse(0);
        cb.processResult(lost, "", ctx, lost == 0 ? results : null);
    }

    @Override
    public void addWatch(String path, Watcher watcher, AddWatchMode mode, AsyncCallback.VoidCallback cb, Object ctx) {
        meddle(
                "addWatch",
                path,
                to -> super.addWatch(
                        path, watcher, mode, (rc, p, c) -> to.accept(() -> cb.processResult(rc, p, c)), ctx),
                () -> cb.processResult(LOSS, path, ctx));
    }
}
