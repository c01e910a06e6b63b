package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class LeaderObserverTests {

    private static final String RECORD = "/elections/orders/leader";

    private final ManualConnection connection = new ManualConnection();
    private final List<Object> leaders = new ArrayList<>();
    private final Engine engine = EngineFixture.engine(new Protocol(), connection);
    private final LeaderObserver observer = new LeaderObserver(engine, "/elections/orders", leaders::add);

    private void connectWithoutRecord() {
        observer.connected();
        connection.answerAll(request -> Reply.of(Code.NONODE));
        connection.sent();
    }

    @Test
    void itWatchesAgainIfItsWatchWasRemoved() {
        connectWithoutRecord();

        observer.changed(RECORD, EventType.PersistentWatchRemoved);

        assertThat(connection.sent()).contains(new Request.AddWatch(RECORD));
        assertThat(leaders).containsExactly(Optional.empty());
    }

    /** Servers before 3.9 remove it together with a candidate's own watch, without an event. */
    @Test
    void itWatchesAgainBeforeItReadsSinceItsWatchMayHaveBeenRemovedSilently() {
        connectWithoutRecord();

        observer.changed(RECORD, EventType.DataWatchRemoved);
        connection.pass(1_000);

        assertThat(connection.sent()).startsWith(new Request.AddWatch(RECORD)).hasSizeGreaterThan(1);
    }

    @Test
    void itRemovesItsWatchWhenClosedEvenIfTheConnectionIsLostMeanwhile() {
        observer.connected();
        connection.answerAll(request -> Reply.stat(new Stat()));

        observer.close();
        connection.answerAll(request -> Reply.of(Code.CONNECTIONLOSS));
        assertThat(observer.isOver()).isFalse();
        connection.sent();
        observer.connected();
        connection.answerAll(request -> Reply.stat(new Stat()));

        assertThat(connection.sent()).containsExactly(new Request.RemoveWatches(RECORD, true));
        assertThat(observer.isOver()).isTrue();
    }
}
