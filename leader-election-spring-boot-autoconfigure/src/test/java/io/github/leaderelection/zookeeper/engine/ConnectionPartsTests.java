package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.CandidateNode;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Joining;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Protocol;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import io.github.leaderelection.zookeeper.znode.Successor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

/** What belongs to a connection, part by part: no server, no time. */
class ConnectionPartsTests {

    private final Loop loop = new Loop();

    private static final Function<Request, Reply> FINE = request -> Reply.stat(new Stat());
    private static final Function<Request, Reply> REFUSED = request -> Reply.of(Code.NOAUTH);
    private static final Function<Request, Reply> LOST = request -> Reply.of(Code.CONNECTIONLOSS);
    private static final String BEAT = "/elections/.beats/other";
    private static final String RECORD = "/elections/orders/leader";

    private final ManualConnection connection = new ManualConnection();

    @Test
    void aLoopOutlivesAnError() {
        var loop = new Loop();
        List<String> ran = new ArrayList<>();

        loop.execute(() -> {
            throw new StackOverflowError("provoked by a test");
        });
        loop.execute(() -> ran.add("next"));

        assertThat(ran).containsExactly("next");
    }

    @Test
    void aBeatOnTheNextSessionIsWatchedAnew() {
        var observedHeartbeats = new ObservedHeartbeats(connection, connection, connection);
        observedHeartbeats.observe(BEAT);
        connection.answerAll(FINE);
        assertThat(observedHeartbeats.last(BEAT)).isPresent();

        observedHeartbeats.disconnected();
        observedHeartbeats.expired();
        observedHeartbeats.release(BEAT);
        connection.sent();
        observedHeartbeats.observe(BEAT);
        connection.answerAll(FINE);

        assertThat(connection.sent()).contains(new Request.AddWatch(BEAT));
        assertThat(observedHeartbeats.last(BEAT)).isPresent();
    }

    @Test
    void whatWasLostOfACandidateIsForgottenWithTheSession() {
        var lost = new OversizedReplyBackoff(connection);
        var own = new Request.Get("/elections/orders/c-abc-0000000001", true);
        var nodes = new Request.Children("/elections/orders", true);
        for (int i = 0; i < 3; i++) {
            lost.answered(own, Reply.of(Code.CONNECTIONLOSS));
            lost.answered(nodes, Reply.of(Code.CONNECTIONLOSS));
            lost.answered(new Request.Exists("/"), Reply.stat(new Stat()));
        }
        assertThat(lost.holdBack(own)).isTrue();

        lost.expired();

        assertThat(lost.holdBack(own)).isFalse();
        assertThat(lost.holdBack(nodes)).isTrue();
    }

    @Test
    void anObserverWatchesAgainIfSomebodyElseTookItsWatchOff() {
        List<Object> leaders = new ArrayList<>();
        var leaderObserver = new LeaderObserver(connection, connection, connection, "/elections/orders", leaders::add);
        leaderObserver.connected();
        connection.answerAll(request -> Reply.of(Code.NONODE));
        connection.sent();

        leaderObserver.changed(RECORD, EventType.PersistentWatchRemoved);

        assertThat(connection.sent()).contains(new Request.AddWatch(RECORD));
        assertThat(leaders).containsExactly(Optional.empty());
    }

    /** As servers before 3.9 do it, along with a candidate's own watch, and tell nobody. */
    @Test
    void anObserverWatchesAgainBeforeItReadsInCaseItsWatchWentSilently() {
        var leaderObserver = new LeaderObserver(connection, connection, connection, "/elections/orders", leader -> {});
        leaderObserver.connected();
        connection.answerAll(request -> Reply.of(Code.NONODE));
        connection.sent();

        leaderObserver.changed(RECORD, EventType.DataWatchRemoved);
        connection.pass(1_000);

        assertThat(connection.sent()).startsWith(new Request.AddWatch(RECORD)).hasSizeGreaterThan(1);
    }

    @Test
    void anObserverThatIsClosedTakesItsWatchOffAlsoIfTheConnectionIsLostMeanwhile() {
        var leaderObserver = new LeaderObserver(connection, connection, connection, "/elections/orders", leader -> {});
        leaderObserver.connected();
        connection.answerAll(FINE);

        leaderObserver.close();
        connection.answerAll(LOST);
        assertThat(leaderObserver.isOver()).isFalse();
        connection.sent();
        leaderObserver.connected();
        connection.answerAll(FINE);

        assertThat(connection.sent()).containsExactly(new Request.RemoveWatches(RECORD, true));
        assertThat(leaderObserver.isOver()).isTrue();
    }

    @Test
    void aQueueThatCannotBeReadIsNotTakenForAnEmptyOne() {
        List<ElectionException> failures = new ArrayList<>();
        List<String> done = new ArrayList<>();
        var deletion = new ElectionDeletion(
                "/elections/orders",
                connection,
                connection,
                connection,
                () -> 3_000,
                false,
                () -> done.add("deleted"),
                failures::add);

        deletion.connected();
        connection.answerAll(
                request -> request instanceof Request.Children ? Reply.of(Code.MARSHALLINGERROR) : FINE.apply(request));

        assertThat(done).isEmpty();
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .hasMessageContaining("/elections/orders")
                        .hasMessageContaining("jute.maxbuffer"));
    }

    @Test
    void aRefusedBeatIsTriedOnceASecondHoweverManyAskForIt() {
        Engine engine = engine(new Protocol());
        engine.connected(77, 3_000);
        connection.answerAll(request -> Reply.of(Code.NOAUTH));
        for (int i = 0; i < 5; i++) {
            engine.disconnected();
            engine.connected(77, 3_000);
            connection.answerAll(request -> Reply.of(Code.NOAUTH));
        }
        connection.sent();

        for (int second = 0; second < 3; second++) {
            connection.pass(1_000);
            connection.answerAll(request -> Reply.of(Code.NOAUTH));
            assertThat(connection.sent()).hasSize(1);
        }
    }

    @Test
    void aFailureOfOneElectionIsNoneOfTheOthers() {
        StateMachine protocol = new Protocol();
        Engine engine = engine((election, event, view) -> {
            if (election.config().name().equals("broken") && event instanceof Event.Connected) {
                throw new IllegalStateException("provoked by a test");
            }
            return protocol.apply(election, event, view);
        });
        var broken = new Noted();
        var sound = new Noted();
        HostedElection first = engine.open(config("broken"), broken);
        HostedElection second = engine.open(config("sound"), sound);
        engine.handle(first, new Event.Nominate());
        engine.handle(second, new Event.Nominate());

        engine.connected(77, 3_000);

        assertThat(second.election().state()).isInstanceOf(Joining.class);
        assertThat(broken.failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .hasMessageContaining("/elections/broken")
                        .hasCauseInstanceOf(IllegalStateException.class));
        assertThat(sound.failures).isEmpty();
    }

    /** Nobody would ask for the rest again, and an election would wait for it for ever. */
    @Test
    void aCommandThatFailsKeepsNoOtherFromBeingCarriedOut() {
        Request monitor = new Request.Exists("/probe");
        Engine engine = engine((election, event, view) -> new StateMachine.Outcome(
                election, List.of(new Command.Granted(1), new Command.Send(Command.Purpose.STAT, 1, monitor))));
        var broken = new Noted() {
            @Override
            public void published(ElectionState election) {
                throw new IllegalStateException("provoked by a test");
            }

            @Override
            public void granted(long term) {
                throw new OutOfMemoryError("unable to create native thread: provoked by a test");
            }
        };
        HostedElection hosted = engine.open(config("orders"), broken);

        engine.handle(hosted, new Event.Nominate());

        assertThat(connection.sent()).containsExactly(monitor);
        assertThat(broken.failures).hasSize(2);
    }

    /** As many threads as a container allows. */
    private static final class Limit implements ThreadFactory {
        private final AtomicBoolean reached = new AtomicBoolean();
        private final AtomicInteger refused = new AtomicInteger();

        @Override
        public Thread newThread(Runnable task) {
            if (reached.get()) {
                refused.incrementAndGet();
                throw new OutOfMemoryError("unable to create native thread: provoked by a test");
            }
            Thread thread = new Thread(task, "test-thread");
            thread.setDaemon(true);
            return thread;
        }

        void lift() {
            await().until(() -> refused.get() > 0);
            reached.set(false);
        }
    }

    @Test
    void whatNeedsAThreadWaitsUntilThereIsOne() {
        var limit = new Limit();
        limit.reached.set(true);
        var threads = new EngineThreads(limit, limit);
        var done = new CountDownLatch(2);
        try {
            threads.listeners().execute(done::countDown);
            threads.startBlocking(done::countDown);
            limit.lift();

            await().until(() -> done.getCount() == 0);
        } finally {
            threads.stop();
        }
    }

    @Test
    void stuckListenersAreRelievedAlsoAfterThereWasNoThreadForThat() {
        var limit = new Limit();
        var threads = new EngineThreads(limit, limit);
        var stuck = new CountDownLatch(6);
        var end = new CountDownLatch(1);
        try {
            for (long i = stuck.getCount(); i > 0; i--) {
                threads.listeners().execute(() -> {
                    stuck.countDown();
                    awaitUninterruptibly(end);
                });
            }
            await().until(() -> stuck.getCount() == 2);
            limit.reached.set(true);
            limit.lift();

            await().until(() -> stuck.getCount() == 0);
        } finally {
            end.countDown();
            threads.stop();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whatIsFoundAgainAndAgainIsToldOnceAMinute() {
        var rateLimiter = new LogRateLimiter(connection);
        assertThat(rateLimiter.isDue("no way")).isTrue();
        assertThat(rateLimiter.isDue("no way")).isFalse();
        assertThat(rateLimiter.isDue("another way")).as("news").isTrue();
        connection.pass(60_000);
        assertThat(rateLimiter.isDue("another way")).as("not yet").isFalse();
        connection.pass(1);
        assertThat(rateLimiter.isDue("another way")).as("after a minute").isTrue();
        rateLimiter.forget();
        assertThat(rateLimiter.isDue("another way")).as("after it was over").isTrue();
    }

    @Test
    void candidaciesAreNamedAfterTheirConnectionsBeatAndEachOnce() {
        Engine engine = engine(new Protocol());
        engine.connected(77, 3_000);
        for (String name : List.of("orders", "invoices")) {
            engine.handle(engine.open(config(name), new Noted()), new Event.Nominate());
        }

        assertThat(connection.sent())
                .filteredOn(request ->
                        request instanceof Request.Create create && create.mode() == CreateMode.EPHEMERAL_SEQUENTIAL)
                .extracting(Request::path)
                .containsExactly("/elections/orders/c-guid1-", "/elections/invoices/c-guid2-");
    }

    @Test
    void candidatesBeginAsThoseBeforeThemAreAnswered() {
        Engine engine = engine(new Protocol());
        engine.connected(77, 3_000);
        nominate(engine, 1_000);
        assertThat(begun()).isPositive().isLessThanOrEqualTo(RequestThrottle.MOST_UNDER_WAY);

        connection.answerAll(REFUSED);
        assertThat(begun()).as("all others").isGreaterThan(1_000 - RequestThrottle.MOST_UNDER_WAY);
    }

    @Test
    void candidatesBeginOnTheNextSessionWhateverWasLeftUnansweredOnTheLast() {
        Engine engine = engine(new Protocol());
        engine.connected(77, 3_000);
        nominate(engine, 1_000);
        long atFirst = begun();
        connection.loseAll();

        engine.expired();
        engine.connected(78, 3_000);
        assertThat(begun()).isEqualTo(atFirst);
        connection.answerAll(REFUSED);
        assertThat(begun()).isEqualTo(1_000 - atFirst);
    }

    private static void nominate(Engine engine, int count) {
        for (int i = 0; i < count; i++) {
            engine.handle(engine.open(config("election" + i), new Noted()), new Event.Nominate());
        }
    }

    /** How many candidates have begun since this was last asked. */
    private long begun() {
        return connection.sent().stream()
                .filter(request ->
                        request instanceof Request.Create create && create.mode() == CreateMode.EPHEMERAL_SEQUENTIAL)
                .count();
    }

    private ElectionState leading(long lease) {
        var ownNode = new CandidateNode("/elections/orders/c-abc-0000000001", 77, 1, 0, true, connection.now());
        var leading = new Leading(ownNode, 1, Successor.UNKNOWN, 0, lease, lease, 1, 0);
        return new ElectionState(config("orders"), leading, 1, 1, null, false, 0, null);
    }

    private static ElectionState.Config config(String name) {
        return new ElectionState.Config(name, "/elections/" + name, true, () -> "id", Map.of());
    }

    private Engine engine(StateMachine protocol) {
        return new Engine(
                protocol,
                connection,
                loop,
                connection,
                connection,
                new Engine.Config("/elections", null, 3_600_000, RequestThrottle.MOST_UNDER_WAY),
                () -> "guid",
                new ConnectionListener() {
                    @Override
                    public void ready() {}

                    @Override
                    public void refused(ElectionException cause) {}
                });
    }
}
