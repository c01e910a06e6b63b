package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.zookeeper.Watcher.Event.EventType;

/** Watches the record and reports leader changes. Random delays keep instances from reading all at once. */
public final class LeaderObserver extends ConnectionTask {

    private static final long LONGEST_DELAY = 200_000_000L;

    private final String record;
    private final CandidateReader reader;
    private final Consumer<Optional<Candidate>> onChange;
    private boolean known;
    private Optional<Candidate> last = Optional.empty();
    private boolean readScheduled;
    private boolean closed;
    private boolean over;

    /** Begins to watch; to be called on the loop. */
    public static LeaderObserver begin(Engine engine, String path, Consumer<Optional<Candidate>> onChange) {
        var observer = new LeaderObserver(engine, path, onChange);
        engine.add(observer);
        return observer;
    }

    LeaderObserver(Engine engine, String path, Consumer<Optional<Candidate>> onChange) {
        super(engine);
        this.record = Paths.child(path, LeaderRecord.NODE);
        this.reader = new CandidateReader(engine.client, path);
        this.onChange = onChange;
    }

    /** After {@link #close()} too: the client has set the watch again if its removal was lost. */
    @Override
    void start() {
        if (closed) {
            unwatch();
        } else {
            read();
        }
    }

    @Override
    boolean isOver() {
        return over;
    }

    @Override
    void changed(String path, EventType type) {
        if (!path.equals(record) || closed) {
            return;
        }
        if (type == EventType.PersistentWatchRemoved) {
            // Another user of the connection has removed all watches, not only its own.
            read();
        } else if (!readScheduled) {
            readScheduled = true;
            engine.after((long) (Math.random() * LONGEST_DELAY), this::read);
        }
    }

    private void read() {
        readScheduled = false;
        if (closed) {
            return;
        }
        // Each time: servers before 3.9 remove it along with a candidate's own watch on the record.
        engine.client.send(new Request.AddWatch(record), reply -> {});
        reader.leader().thenAccept(leader -> {
            if (!closed && (!known || !leader.equals(last))) {
                known = true;
                last = leader;
                onChange.accept(leader);
            }
        });
    }

    public void close() {
        closed = true;
        unwatch();
    }

    private void unwatch() {
        engine.client.send(new Request.RemoveWatches(record, true), reply -> over = !reply.ambiguous());
    }
}
