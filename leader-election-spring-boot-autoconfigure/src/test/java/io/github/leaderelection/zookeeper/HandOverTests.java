package io.github.leaderelection.zookeeper;

import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.DELAY_ANSWER;
import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.DELAY_REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.HandOver;
import io.github.leaderelection.HandOver.Outcome;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.HostileText;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.znode.HandOverRequest;
import io.github.leaderelection.zookeeper.znode.HandOverRequest.Answer;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leadership that is moved to a chosen candidate, from any instance. */
class HandOverTests extends ElectionTestSupport {

    private static final String REQUEST = PATH + "/" + HandOverRequest.NODE;
    private static final Duration LONG_SESSION = Duration.ofSeconds(50);
    private static final Duration LEASE = Duration.ofSeconds(2);

    private Participant.Builder member(String id) {
        return participant(id).session(LONG_SESSION).lease(LEASE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"leader", "second", "third", "observer"})
    void anyInstanceMovesTheLeadershipToAnyCandidate(String asking) throws Exception {
        Participant leader = member("leader").nominate();
        Leadership first = leader.awaitLeading();
        Participant second = member("second").nominate().awaitFollowing();
        Participant third = member("third").nominate().awaitFollowing();
        Participant observer = member("observer").open();
        Participant author = switch (asking) {
            case "leader" -> leader;
            case "second" -> second;
            case "third" -> third;
            default -> observer;
        };

        HandOver moved = author.election().handOver("third");

        assertThat(moved.outcome()).isEqualTo(Outcome.DONE);
        assertThat(moved.leader()).map(Candidate::id).contains("third");
        assertThat(third.awaitLeading().fencingToken()).isGreaterThan(first.fencingToken());
        leader.awaitEvents("granted 1", "revoked 1 HANDED_OVER");
        leader.awaitFollowing();
        assertThat(second.events()).isEmpty();
        assertThat(admin.exists(REQUEST)).isFalse();
    }

    @Test
    void aRequestThatIsCarriedOutBeforeItsAnswerIsReadIsDone() throws Exception {
        Participant leader = member("a").nominate();
        leader.awaitLeading();
        Participant other = member("b").nominate().awaitFollowing();
        LossyZooKeeper client = lossyClient();
        Election observer = over(client, options("observer")).election("orders", PATH);
        var creation = client.interceptNext(
                DELAY_ANSWER, (operation, path) -> operation.equals("create") && path.equals(REQUEST));

        Future<HandOver> moved = inBackground(() -> observer.handOver("b"));
        other.awaitLeading();
        creation.release();

        assertThat(moved.get().outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void theOutcomeSaysWhyNothingHasChanged() throws Exception {
        Participant observer = member("observer").open();
        assertThat(observer.election().handOver("a").outcome())
                .as("no such election node")
                .isEqualTo(Outcome.NO_LEADER);
        Participant leader = member("a").nominate();
        leader.awaitLeading();
        member("twin").nominate().awaitFollowing();
        member("twin").nominate().awaitFollowing();

        HandOver already = observer.election().handOver("a");
        assertThat(already.outcome()).isEqualTo(Outcome.ALREADY_LEADS);
        assertThat(already.leader()).map(Candidate::id).contains("a");
        assertThat(observer.election().handOver("nobody").outcome()).isEqualTo(Outcome.NO_SUCH_CANDIDATE);
        assertThat(observer.election().handOver("twin").outcome()).isEqualTo(Outcome.AMBIGUOUS_CANDIDATE);
        assertThat(leader.election().handOver("\u0000 ; ../x").outcome()).isEqualTo(Outcome.NO_SUCH_CANDIDATE);
        member("a").nominate().awaitFollowing();
        assertThat(observer.election().handOver("a").outcome())
                .as("an id that the leader has, too")
                .isEqualTo(Outcome.AMBIGUOUS_CANDIDATE);

        assertThat(leader.events()).containsExactly("granted 1");
        assertThat(admin.exists(REQUEST)).isFalse();
    }

    @Test
    @DisplayName("A candidate is found by the id that was configured, although control characters are escaped")
    void anIdMayHaveControlCharacters() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        Participant next = member("a\tb").nominate().awaitFollowing();

        assertThat(leader.election().handOver("a\tb").outcome()).isEqualTo(Outcome.DONE);
        next.awaitLeading();
        assertThat(leader.election().handOver("a\\u0009b").outcome()).isEqualTo(Outcome.ALREADY_LEADS);
    }

    @Test
    void nobodyLeads() throws Exception {
        Participant leader = member("a").nominate();
        leader.awaitLeading();
        leader.election().withdraw();

        assertThat(leader.election().handOver("a").outcome()).isEqualTo(Outcome.NO_LEADER);
    }

    @Test
    void workIsDrainedBeforeTheLeadershipMoves() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        Participant next = member("next").nominate().awaitFollowing();
        var working = new CountDownLatch(1);
        var done = new CountDownLatch(1);
        inBackground(() -> leader.election().runIfLeader(term -> {
            working.countDown();
            awaitQuietly(done);
        }));
        working.await();

        Future<HandOver> moved = inBackground(() -> next.election().handOver("next"));
        leader.awaitNotLeading();
        assertThat(next.isLeader()).isFalse();
        done.countDown();

        assertThat(moved.get().outcome()).isEqualTo(Outcome.DONE);
        next.awaitLeading();
    }

    @Test
    void aLeaderThatDoesNotAnswerIsNotWaitedForTooLong() throws Exception {
        Participant leader =
                member("leader").options(o -> o.lease(Duration.ofSeconds(40))).nominate();
        leader.awaitLeading();
        Participant next = member("next")
                .options(o -> o.connectionTimeout(Duration.ofSeconds(1)).drainTimeout(Duration.ofSeconds(1)))
                .nominate()
                .awaitFollowing();
        leader.proxy().blackHole();

        HandOver moved = next.election().handOver("next");

        assertThat(moved.outcome()).isEqualTo(Outcome.NOT_ANSWERED);
        assertThat(moved.leader()).map(Candidate::id).contains("leader");
        eventually().until(() -> !admin.exists(REQUEST));
        leader.proxy().open();
    }

    @Test
    void aCallerThatGetsNoAnswerFromZooKeeperIsToldThat() throws Exception {
        member("leader").nominate().awaitLeading();
        Participant next = member("next")
                .options(o -> o.connectionTimeout(Duration.ofSeconds(1)).drainTimeout(Duration.ofSeconds(1)))
                .nominate()
                .awaitFollowing();
        next.proxy().blackHole();

        assertThatThrownBy(() -> next.election().handOver("next")).isInstanceOf(ElectionConnectionException.class);
        next.proxy().open();
    }

    @Test
    @DisplayName("If the leader is frozen, its heir takes over, and is asked instead")
    void theSuccessorOfAFrozenLeaderIsAsked() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        Participant heir = member("heir").nominate().awaitFollowing();
        awaitHeartbeatWatched(leader);
        Participant third = member("third").nominate().awaitFollowing();
        leader.proxy().blackHole();

        HandOver moved = third.election().handOver("third");

        assertThat(moved.outcome()).isEqualTo(Outcome.DONE);
        assertThat(moved.leader()).map(Candidate::id).contains("third");
        third.awaitLeading();
        heir.awaitEvents("granted 1", "revoked 1 HANDED_OVER");
        leader.proxy().open();
    }

    @Test
    @Tag("F87")
    @DisplayName(
            "F87: a request to somebody who no longer leads, and one that cannot be read, are deleted and not carried out")
    void anOldRequestIsVoid() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        Participant next = member("next").nominate().awaitFollowing();
        String target = Paths.name(admin.node(next));

        admin.create(REQUEST, new HandOverRequest(target, "c-long.ago-0000000000").toJson());
        eventually().until(() -> !admin.exists(REQUEST));
        admin.create(REQUEST, "not a request".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        eventually().until(() -> !admin.exists(REQUEST));

        assertThat(leader.events()).containsExactly("granted 1");
        assertThat(leader.isLeader()).isTrue();
    }

    @Test
    @DisplayName("A hand-over that was accepted, and is late because of work, continues after the caller has given up")
    void anAcceptedHandOverContinues() throws Exception {
        Participant leader = member("leader").nominate();
        Leadership first = leader.awaitLeading();
        Participant next = member("next")
                .options(o -> o.connectionTimeout(Duration.ofSeconds(1)).drainTimeout(Duration.ofSeconds(1)))
                .nominate()
                .awaitFollowing();
        Participant third = member("third").nominate().awaitFollowing();
        var working = new CountDownLatch(1);
        var done = new CountDownLatch(1);
        inBackground(() -> leader.election().runIfLeader(term -> {
            working.countDown();
            try {
                done.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        working.await();

        HandOver moved = next.election().handOver("next");

        assertThat(moved.outcome()).isEqualTo(Outcome.NOT_ANSWERED);
        assertThat(leader.isLeader()).isFalse();
        assertThat(next.isLeader()).isFalse();
        done.countDown();
        assertThat(next.awaitLeading().fencingToken()).isGreaterThan(first.fencingToken());
        leader.awaitEvents("granted 1", "revoked 1 HANDED_OVER");
        assertThat(third.events()).isEmpty();
        eventually().until(() -> !admin.exists(REQUEST));
    }

    @Test
    void aCandidateMayHaveAnyId() {
        List<String> ids = new ArrayList<>(HostileText.nasty());
        ids.removeIf(id -> id.length() > 500);
        ids.add("/\"'\\" + "x".repeat(496));
        Set<String> listed = new LinkedHashSet<>();
        for (String id : ids) {
            // Some of them cannot be the id of a candidate as they are.
            ElectionOptions options = options("x").candidate(id, Map.of());
            if (listed.add(options.electionConfig("orders", PATH).id())) {
                nominate(over(client(), options));
            }
        }
        Election observer = over(client(), options("observer")).election("orders", PATH);
        eventually().until(() -> observer.candidates().size() == listed.size());

        for (String id : listed) {
            HandOver moved = observer.handOver(id);
            assertThat(moved.outcome()).as(id).isIn(Outcome.DONE, Outcome.ALREADY_LEADS);
            assertThat(moved.leader()).map(Candidate::id).contains(id);
            // The former leader is back in the queue only a moment later.
            eventually().until(() -> observer.candidates().size() == listed.size());
        }
        assertThat(log.lines())
                .filteredOn(line -> line.contains("leadership moved"))
                .hasSizeGreaterThanOrEqualTo(listed.size() - 1);
    }

    @Test
    void needsAConnectionAndAnOpenElection() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        leader.proxy().cut();
        eventually()
                .untilAsserted(() -> assertThatThrownBy(() -> leader.election().handOver("leader"))
                        .isInstanceOf(ElectionConnectionException.class));
        leader.proxy().open();
        leader.awaitLeading();
        leader.election().close();
        assertThatThrownBy(() -> leader.election().handOver("leader")).isInstanceOf(ElectionClosedException.class);
    }

    @Test
    void mayBeCalledByAListener() throws Exception {
        Participant leader = member("leader").open();
        Participant next = member("next").open();
        leader.election().addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                next.nominate();
                eventually().until(() -> leader.election().candidates().size() == 2);
                assertThat(leader.election().handOver("next").outcome()).isEqualTo(Outcome.NOT_ANSWERED);
            }
        });
        leader.nominate();

        next.awaitLeading();
    }

    @ParameterizedTest
    @ValueSource(strings = {"listener", "work"})
    @DisplayName("A listener or work that the leader drains cannot wait for a hand-over, and is told so at once")
    void drainingDoesNotWaitForItself(String caller) throws Exception {
        Participant leader =
                member("leader").options(o -> o.drainTimeout(LONG_SESSION)).open();
        var outcome = new CompletableFuture<Outcome>();
        if (caller.equals("listener")) {
            leader.election().addListener(new ElectionListener() {
                @Override
                public void revoked(Leadership term, RevocationReason reason) {
                    outcome.complete(leader.election().handOver("next").outcome());
                }
            });
        }
        leader.nominate().awaitLeading();
        Participant next = member("next").nominate().awaitFollowing();
        if (caller.equals("work")) {
            var working = new CountDownLatch(1);
            inBackground(() -> leader.election().runIfLeader(term -> {
                working.countDown();
                leader.awaitNotLeading();
                outcome.complete(leader.election().handOver("next").outcome());
            }));
            working.await();
        }

        leader.election().stepDown();

        assertThat(outcome).isCompletedWithValue(Outcome.NOT_ANSWERED);
        next.awaitLeading();
    }

    @Test
    @DisplayName("A caller whose elections are closed while the leader drains is told that at once")
    void electionsAreClosedMeanwhile() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        Participant next = member("next").nominate().awaitFollowing();
        ZooKeeperElections elections = over(
                client(), options("observer").connectionTimeout(LONG_SESSION).drainTimeout(LONG_SESSION));
        Election observer = elections.election("orders", PATH);
        var done = new CountDownLatch(1);
        var working = new CountDownLatch(1);
        inBackground(() -> leader.election().runIfLeader(term -> {
            working.countDown();
            awaitQuietly(done);
        }));
        working.await();
        Future<HandOver> moved = inBackground(() -> observer.handOver("next"));
        leader.awaitNotLeading();

        elections.close();

        assertThatThrownBy(() -> moved.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(ElectionClosedException.class);
        done.countDown();
        next.awaitLeading();
    }

    @Test
    @DisplayName("A request that another client makes right after ours is not taken for ours")
    void anothersRequestIsNotTakenForOurs() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        Participant next = member("next").nominate().awaitFollowing();
        LossyZooKeeper client = lossyClient();
        Election observer = over(client, options("observer")).election("orders", PATH);
        var reading = client.interceptNext(
                DELAY_REQUEST, (operation, path) -> operation.equals("getData") && path.equals(REQUEST));

        Future<HandOver> moved = inBackground(() -> observer.handOver("next"));
        next.awaitLeading();
        String holder = Paths.name(admin.node(next));
        var refused = new HandOverRequest("c-gone.1-0000000099", holder).answer(Answer.NO_SUCH_CANDIDATE);
        admin.create(REQUEST, refused.toJson());
        reading.release();

        assertThat(moved.get(20, TimeUnit.SECONDS).outcome()).isEqualTo(Outcome.DONE);
        assertThat(admin.exists(REQUEST)).isTrue();
    }

    @Test
    void aListenerOfAnotherInstanceHearsTheOutcome() throws Exception {
        member("leader").nominate().awaitLeading();
        Participant observer = member("observer").options(o -> o.observe(true)).open();
        var outcomes = new LinkedBlockingQueue<Outcome>();
        observer.election().addListener(new ElectionListener() {
            @Override
            public void leaderChanged(Election election, Optional<Candidate> leader) {
                outcomes.add(election.handOver("nobody").outcome());
            }
        });

        assertThat(outcomes.poll(20, TimeUnit.SECONDS)).isEqualTo(Outcome.NO_SUCH_CANDIDATE);
    }

    @Test
    @DisplayName("Candidates are listed with the leader first, then by age, and with their priorities")
    void candidatesAreListedWithTheLeaderFirst() throws Exception {
        Participant first = member("first").nominate();
        first.awaitLeading();
        member("second").nominate().awaitFollowing();
        Participant third =
                member("third").options(o -> o.priority(-7)).nominate().awaitFollowing();

        assertThat(first.election().handOver("third").outcome()).isEqualTo(Outcome.DONE);
        third.awaitLeading();
        first.awaitFollowing();

        assertThat(first.election().candidates()).extracting(Candidate::id).containsExactly("third", "second", "first");
        assertThat(first.election().leader()).map(Candidate::priority).contains(-7);
    }

    @Test
    @DisplayName("A leader that leaves hands over to the highest priority")
    void theHighestPriorityIsNext() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        member("second").nominate().awaitFollowing();
        Participant preferred =
                member("preferred").options(o -> o.priority(3)).nominate().awaitFollowing();
        String node = Paths.name(admin.node(preferred));
        eventually().until(() -> admin.record().heir().equals(node));

        leader.election().close();

        preferred.awaitLeading();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
