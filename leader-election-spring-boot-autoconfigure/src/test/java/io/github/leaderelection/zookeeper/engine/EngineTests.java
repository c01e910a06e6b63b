package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.fixture.RecordedLog;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Joining;
import io.github.leaderelection.zookeeper.protocol.Protocol;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EngineTests {

    @RegisterExtension
    final RecordedLog log = new RecordedLog();

    private static final int MANY = 1_000;

    private final ManualConnection connection = new ManualConnection();

    private Engine engine(StateMachine protocol) {
        return EngineFixture.engine(protocol, connection);
    }

    private static HostedElection nominate(Engine engine, String name, RecordingCallbacks callbacks) {
        HostedElection hosted = engine.open(EngineFixture.config(name), callbacks);
        hosted.handle(new Event.Nominate());
        return hosted;
    }

    private static void nominate(Engine engine, int count) {
        for (int i = 0; i < count; i++) {
            nominate(engine, "election" + i, new RecordingCallbacks());
        }
    }

    /** The creates of candidates' nodes since the last call. */
    private List<Request> candidateCreates() {
        return connection.sent().stream()
                .filter(request ->
                        request instanceof Request.Create create && create.mode() == CreateMode.EPHEMERAL_SEQUENTIAL)
                .toList();
    }

    @Test
    void aFailureOfOneElectionDoesNotAffectOthers() {
        StateMachine protocol = new Protocol();
        Engine engine = engine((election, event, view) -> {
            if (election.config().name().equals("broken") && event instanceof Event.Connected) {
                throw new IllegalStateException("provoked by a test");
            }
            return protocol.apply(election, event, view);
        });
        var broken = new RecordingCallbacks();
        var sound = new RecordingCallbacks();
        nominate(engine, "broken", broken);
        HostedElection hosted = nominate(engine, "sound", sound);

        engine.connected(77, 3_000);

        assertThat(hosted.election().state()).isInstanceOf(Joining.class);
        assertThat(broken.failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .hasMessageContaining("/elections/broken")
                        .hasCauseInstanceOf(IllegalStateException.class));
        assertThat(sound.failures).isEmpty();
    }

    /** Otherwise the election would wait for the rest forever. */
    @Test
    void aCommandThatFailsDoesNotStopTheOthers() {
        Request read = new Request.Exists("/read");
        Engine engine = engine((election, event, view) -> new StateMachine.Outcome(
                election, List.of(new Command.Granted(1), new Command.Send(Command.Purpose.STAT, 1, read))));
        var broken = new RecordingCallbacks() {
            @Override
            public void published(ElectionState election) {
                throw new IllegalStateException("provoked by a test");
            }

            @Override
            public void granted(long term) {
                throw new OutOfMemoryError("unable to create native thread: provoked by a test");
            }
        };

        nominate(engine, "orders", broken);

        assertThat(connection.sent()).containsExactly(read);
        assertThat(broken.failures).hasSize(2);
    }

    @Test
    void candidatesNodesHaveTheGuidOfTheirConnectionAndANumber() {
        Engine engine = engine(new Protocol());
        engine.connected(77, 3_000);
        nominate(engine, "orders", new RecordingCallbacks());
        nominate(engine, "invoices", new RecordingCallbacks());

        assertThat(candidateCreates())
                .extracting(Request::path)
                .containsExactly("/elections/orders/c-guid.1-", "/elections/invoices/c-guid.2-");
    }

    @Test
    void candidatesJoinAsEarlierRequestsAreAnswered() {
        Engine engine = engine(new Protocol());
        engine.connected(77, 3_000);
        nominate(engine, MANY);
        assertThat(candidateCreates()).hasSizeBetween(1, RequestThrottle.MOST_UNDER_WAY);

        connection.answerAll(request -> Reply.of(Code.NOAUTH));

        assertThat(candidateCreates()).hasSizeGreaterThan(MANY - RequestThrottle.MOST_UNDER_WAY);
    }

    @Test
    void candidatesJoinOnTheNextSessionEvenIfRequestsOfTheLastOneAreUnanswered() {
        Engine engine = engine(new Protocol());
        engine.connected(77, 3_000);
        nominate(engine, MANY);
        int atFirst = candidateCreates().size();
        connection.loseAll();

        engine.expired();
        engine.connected(78, 3_000);
        assertThat(candidateCreates()).hasSize(atFirst);
        connection.answerAll(request -> Reply.of(Code.NOAUTH));

        assertThat(candidateCreates()).hasSize(MANY - atFirst);
    }

    @Test
    void nodesOfAFormerSessionAreDeletedWhenTheyAreListed() {
        Engine engine = engine(new Protocol());
        engine.connected(77, 3_000);
        nominate(engine, "orders", new RecordingCallbacks());
        connection.answerAll(request -> Reply.of(Code.CONNECTIONLOSS));

        engine.expired();
        engine.connected(78, 3_000);
        connection.answerAll(request -> {
            if (request instanceof Request.Reads) {
                List<String> names = List.of("c-guid.1-0000000001", "c-other.1-0000000002");
                return Reply.parts(List.of(Reply.children(names), Reply.of(Code.NONODE)));
            }
            return request instanceof Request.Create
                    ? EngineFixture.FINE.apply(request)
                    : Reply.of(Code.CONNECTIONLOSS);
        });

        assertThat(connection.sent())
                .filteredOn(Request.Delete.class::isInstance)
                .extracting(Request::path)
                .containsExactly("/elections/orders/c-guid.1-0000000001");
    }
}
