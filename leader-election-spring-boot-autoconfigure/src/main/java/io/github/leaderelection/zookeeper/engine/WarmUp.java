package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.AfterLeaving;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Protocol;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;

/**
 * Runs a candidate on an engine of its own, whose requests are answered here: it follows as the heir, is named, leads,
 * appoints an heir and hands over. In a new JVM, a first hand-over spends most of its time loading classes. This loads
 * them in the background beforehand.
 */
public final class WarmUp
        implements AsyncClient, Executor, Timers, Supplier<String>, ElectionCallbacks, ConnectionListener {

    private static final AtomicBoolean DONE = new AtomicBoolean();
    private static final String PATH = "/elections/warm-up";
    private static final String PREDECESSOR = "c-0-0000000000";
    private static final String SUCCESSOR = "c-2-0000000002";
    private static final long SESSION = 1;

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Engine engine = new Engine(
            new Protocol(),
            this,
            this,
            this,
            Clock.SYSTEM,
            new EngineConfig("/elections", null, null, 1_000, RequestThrottle.MOST_UNDER_WAY, null),
            this,
            this);
    private final HostedElection hosted =
            engine.open(new ElectionState.Config("warm-up", PATH, true, this, Map.of(), 0, null, ""), this);
    private final Stat stat = new Stat(2, 2, 0, 0, 0, 0, 0, SESSION, 0, 0, 2);
    private final List<String> candidates = new ArrayList<>(List.of(PREDECESSOR));
    private String holder = PREDECESSOR;
    private String own = "";

    /** Runs once per JVM, while the first candidate joins; large classes that it needs last are loaded first. */
    public static void once(EngineThreads threads) {
        if (DONE.compareAndSet(false, true)) {
            threads.startBlocking(() -> {
                LeaderRecord.parse(LeaderRecord.released(1, 1).toJson());
                new WarmUp().run();
            });
        }
    }

    WarmUp() {}

    /** Returns the state at the end. */
    ElectionState run() {
        engine.connected(SESSION, 10_000);
        hosted.handle(new Event.Nominate());
        runTasks();
        candidates.set(0, SUCCESSOR);
        holder = own;
        engine.watchTriggered(Paths.child(PATH, PREDECESSOR), EventType.NodeDeleted);
        runTasks();
        hosted.handle(new Event.Leave(RevocationReason.SHUTDOWN, AfterLeaving.CLOSE));
        hosted.handle(new Event.Drained(hosted.election().terms()));
        runTasks();
        return hosted.election();
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** No time passes. */
    @Override
    public void at(long nanos, Runnable task) {}

    /** The id of the candidate, and of the connection. */
    @Override
    public String get() {
        return "1";
    }

    @Override
    public void send(Request request, Consumer<Reply> onReply) {
        tasks.add(new Answer(onReply, reply(request)));
    }

    private record Answer(Consumer<Reply> onReply, Reply reply) implements Runnable {
        @Override
        public void run() {
            onReply.accept(reply);
        }
    }

    private Reply reply(Request request) {
        if (request instanceof Request.Create create) {
            boolean candidate = create.mode() == CreateMode.EPHEMERAL_SEQUENTIAL;
            String path = candidate ? create.path() + "0000000001" : create.path();
            if (candidate) {
                own = Paths.name(path);
                candidates.add(own);
            }
            return Reply.created(path, stat);
        } else if (request instanceof Request.Reads reads) {
            List<Reply> parts = new ArrayList<>();
            reads.parts().forEach(part -> parts.add(reply(part)));
            return Reply.parts(parts);
        } else if (request instanceof Request.Children) {
            return Reply.children(List.copyOf(candidates));
        } else if (request instanceof Request.Get get) {
            boolean record = get.path().endsWith(LeaderRecord.NODE);
            LeaderRecord held = LeaderRecord.held(holder, holder.equals(own) ? "" : own, 1, 1_000);
            var candidate = new CandidateData("warm-up", "", Map.of(), "");
            return Reply.data(record ? held.toJson() : candidate.toJson(), stat);
        }
        return Reply.stat(stat);
    }
}
