package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.zookeeper.Watcher.Event.EventType;

/** Watches the record, and reports each change of the leader. Instances delay their reads at random, not to read all at once. */
public final class LeaderObserver implements ConnectionObserver {

    private static final long LONGEST_DELAY = 200_000_000L;

    private final AsyncClient client;
    private final Timers timers;
    private final Clock clock;
    private final String record;
    private final CandidateReader reader;
    private final Consumer<Optional<Candidate>> onChange;
    private boolean known;
    private Optional<Candidate> last = Optional.empty();
    private boolean readScheduled;
    private boolean closed;
    private boolean over;

    public LeaderObserver(
            AsyncClient client, Timers timers, Clock clock, String path, Consumer<Optional<Candidate>> onChange) {
        this.client = client;
        this.timers = timers;
        this.clock = clock;
        this.record = Paths.child(path, LeaderRecord.NODE);
        this.reader = new CandidateReader(client, path);
        this.onChange = onChange;
    }

    /** After {@link #close()} too: the client has set the watch again if its removal was lost. */
    @Override
    public void connected() {
        if (closed) {
            unwatch();
        } else {
            read();
        }
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public void changed(String path, EventType type) {
        if (!path.equals(record) || closed) {
            return;
        }
        if (type == EventType.PersistentWatchRemoved) {
            // By another user of the connection, who has removed all watches and not only its own.
            read();
        } else if (!readScheduled) {
            readScheduled = true;
            timers.at(clock.nanos() + (long) (Math.random() * LONGEST_DELAY), this::read);
        }
    }

    private void read() {
        readScheduled = false;
        if (closed) {
            return;
        }
        // Each time: servers before 3.9 remove it along with a candidate's own watch on the record.
        client.send(new Request.AddWatch(record), reply -> {});
        reader.leader().whenComplete((leader, failure) -> {
            if (failure == null && !closed && (!known || !leader.equals(last))) {
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
        client.send(new Request.RemoveWatches(record, true), reply -> over = !reply.ambiguous());
    }
}
