package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.zookeeper.Watcher.Event.EventType;

/** Tells whenever another candidate leads, from the record. The reads of many instances are spread over some time. */
public final class LeaderObserver implements ConnectionObserver {

    private static final long SPREAD = 200_000_000L;

    private final AsyncClient client;
    private final Timers timers;
    private final Clock clock;
    private final String record;
    private final CandidateReader candidateReader;
    private final Consumer<Optional<Candidate>> onChange;
    private boolean known;
    private Optional<Candidate> last = Optional.empty();
    private boolean reading;
    private boolean closed;
    private boolean over;

    public LeaderObserver(
            AsyncClient client, Timers timers, Clock clock, String path, Consumer<Optional<Candidate>> onChange) {
        this.client = client;
        this.timers = timers;
        this.clock = clock;
        this.record = Paths.child(path, LeaderRecord.NODE);
        this.candidateReader = new CandidateReader(client, path);
        this.onChange = onChange;
    }

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
            // By another one on the same connection: it takes off all watches, not only its own.
            connected();
        } else if (!reading) {
            reading = true;
            timers.at(clock.nanos() + (long) (Math.random() * SPREAD), this::read);
        }
    }

    private void read() {
        reading = false;
        if (closed) {
            return;
        }
        // Again each time: servers before 3.9 take it off along with a candidate's own watch on the record.
        client.send(new Request.AddWatch(record), reply -> {});
        candidateReader.leader().whenComplete((leader, failure) -> {
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

    /** Tried again on the next connection, on which the client sets the watch anew. */
    private void unwatch() {
        client.send(new Request.RemoveWatches(record, true), reply -> over = !reply.ambiguous());
    }
}
