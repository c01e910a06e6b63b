package io.github.leaderelection.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.HostileText;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Elections on nodes that others have written to, and candidates with unusual names. */
class HostileInputTests extends ElectionTestSupport {

    /** What a log line must not contain: control characters, line separators and characters that reverse the text. */
    private static final String UNREADABLE = "[\\p{Cc}\\p{Cf}\\p{Cs}\\u2028\\u2029]";

    @RegisterExtension
    final HostileText hostile = new HostileText();

    @BeforeEach
    void logEverything() {
        log.setLevel(Level.DEBUG);
    }

    @AfterEach
    void expectAReadableLog() {
        assertThat(log.lines())
                .allSatisfy(line ->
                        assertThat(line).doesNotContainPattern(UNREADABLE).hasSizeLessThan(1_000));
        assertThat(log.events()).noneMatch(event -> event.getLevel() == Level.ERROR);
    }

    /** A released record, so that the first candidate need not wait. */
    private void createReleasedRecord() {
        admin.create(RECORD, LeaderRecord.released(1, 1_000).toJson());
    }

    private static boolean isPossible(String name) {
        try {
            PathUtils.validatePath(PATH + "/" + name);
            return !name.contains("/") && NodeName.parse(name).isEmpty() && !name.equals(LeaderRecord.NODE);
        } catch (IllegalArgumentException refusedByZooKeeper) {
            return false;
        }
    }

    @Test
    void foreignChildrenAreIgnored() {
        admin.createElection();
        List<String> children = new ArrayList<>();
        while (children.size() < 200) {
            String name = children.size() % 2 == 0 ? hostile.text() : "c-" + hostile.text();
            if (isPossible(name) && !admin.exists(PATH + "/" + name)) {
                children.add(admin.create(PATH + "/" + name, hostile.noise()));
            }
        }
        Election a = candidate("a");
        awaitLeader(a);
        Election b = candidate("b");
        awaitFollower(b);

        assertThat(b.leader()).get().extracting(Candidate::id).isEqualTo("a");
        assertThat(b.candidates()).extracting(Candidate::id).containsExactly("a", "b");
        a.stepDown();
        awaitLeader(b);
        b.close();
        awaitLeader(a);
    }

    @Test
    void foreignDataInCandidatesNodesDoesNotStopTheElection() {
        admin.createElection();
        Election a = candidate("a");
        awaitLeader(a);
        Election b = candidate("b");
        awaitFollower(b);
        byte[] valid = new CandidateData("a", "", Map.of(), "/elections/.beats/b").toJson();
        for (int i = 0; i < 60; i++) {
            byte[] data = switch (i % 4) {
                case 0 -> hostile.noise();
                case 1 -> hostile.damaged(valid);
                case 2 -> hostile.foreignDocument("id", "metadata", "beat").getBytes(UTF_8);
                default -> null;
            };
            for (String node : admin.nodes()) {
                admin.write(PATH + "/" + node, data);
            }
            assertThat(b.candidates()).hasSize(2);
            assertThat(b.leader()).isPresent();
        }
        Election c = candidate("c");
        awaitFollower(c);

        a.stepDown();
        awaitLeader(b);
        b.stepDown();
        awaitLeader(c);
        c.close();
        awaitLeader(a);
    }

    @Test
    void aPredecessorWithTheMaximumOfDataIsFollowed() {
        admin.createElection();
        createReleasedRecord();
        String foreign = admin.create(PATH + "/c-stranger-", new byte[1_000_000], CreateMode.EPHEMERAL_SEQUENTIAL);
        Election a = candidate("a");
        awaitFollower(a);
        assertThat(a.candidates()).hasSize(2);

        admin.deleteAll(foreign);

        awaitLeader(a);
    }

    @Test
    void aPredecessorWhoseDataExceedsTheClientsBufferIsFollowed() throws Exception {
        admin.createElection();
        createReleasedRecord();
        var config = new ZKClientConfig();
        config.setProperty("jute.maxbuffer", "2048");
        var losses = new AtomicInteger();
        ZooKeeper client = keep(new ZooKeeper(
                server.address(),
                15_000,
                event -> {
                    if (event.getState() == Watcher.Event.KeeperState.Disconnected) {
                        losses.incrementAndGet();
                    }
                },
                config));
        ZooKeeperElections elections = over(client, options("a"));
        Election other = elections.election("invoices", "/elections/invoices");
        EventLog events = EventLog.of(other);
        other.nominate();
        awaitLeader(other);
        String foreign = admin.create(PATH + "/c-stranger-", new byte[4_096], CreateMode.EPHEMERAL_SEQUENTIAL);

        Election election = elections.election("orders", PATH);
        election.nominate();

        eventually().until(() -> election.role() == Role.FOLLOWER && losses.get() >= 3);
        eventually().until(() -> client.getState() == ZooKeeper.States.CONNECTED);
        int before = losses.get();
        await().during(Duration.ofSeconds(4)).atMost(BOUND).until(other::isLeader);
        assertThat(losses.get() - before)
                .as("connections broken in four seconds")
                .isLessThanOrEqualTo(2);
        admin.deleteAll(foreign);
        await().atMost(Duration.ofSeconds(60)).until(election::isLeader);
        await().untilAsserted(() -> assertThat(events.events()).containsExactly("granted 1"));
    }

    @Test
    void aHeartbeatPathOfTheApplicationIsNotTouched() throws Exception {
        admin.createElection();
        createReleasedRecord();
        admin.create("/application");
        var received = new CopyOnWriteArrayList<WatchedEvent>();
        ZooKeeper client = client();
        Watcher applicationWatcher = received::add;
        client.getData("/application", applicationWatcher, null);
        String foreign = admin.create(
                PATH + "/c-stranger-",
                "{\"id\":\"x\",\"beat\":\"/application\"}".getBytes(UTF_8),
                CreateMode.EPHEMERAL_SEQUENTIAL);
        Election a = candidate(client, "a");
        eventually().until(() -> a.status().following().isPresent());
        admin.deleteAll(foreign);
        awaitLeader(a);

        admin.write("/application", "changed".getBytes(UTF_8));

        await().atMost(BOUND).until(() -> !received.isEmpty());
        assertThat(received).extracting(WatchedEvent::getType).containsExactly(Watcher.Event.EventType.NodeDataChanged);
    }

    @Test
    void candidatesWithAnyIdAndMetadataLeadAndAreListed() {
        List<String> ids = new ArrayList<>(HostileText.nasty());
        for (int i = 0; i < 20; i++) {
            ids.add(hostile.text());
        }
        ids.removeIf(id -> id.length() > 80);
        for (String id : ids) {
            ElectionOptions options = options("x").candidate(id, Map.of(id, id));
            ZooKeeperElections elections = over(client(), options);
            Election election = nominate(elections);
            awaitLeader(election);
            assertThat(election.candidates())
                    .containsExactly(election.leadership().orElseThrow().candidate())
                    .extracting(Candidate::id)
                    .containsExactly(options.electionConfig("orders", PATH).id());
            election.stepDown();
            awaitLeader(election);
            elections.close();
        }
        assertThat(log.lines())
                .filteredOn(line -> line.matches("(?s).* (leads|no longer leads: \\w+) \\(.*"))
                .hasSizeGreaterThanOrEqualTo(ids.size() * 4);
    }

    @Test
    void anElectionNeedsANodeOfItsOwn() {
        ZooKeeperElections elections = over(client(), options("a"));
        for (String path : List.of("/", "/elections/.beats", "/elections/.beats/x")) {
            assertThatThrownBy(() -> elections.election("orders", path))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith(" at " + path);
        }
        assertThat(elections.election("orders", "/elections/.beatsteaks").role())
                .isEqualTo(Role.OBSERVER);
    }

    @Test
    void anElectionsNameIsOneLine() {
        ZooKeeperElections elections = over(client(), options("a"));

        for (String name : List.of("", "two\nlines", "\u001b[31mred", "a\u2028b", "\u202eorders")) {
            assertThatThrownBy(() -> elections.election(name, PATH))
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .doesNotContainPattern(UNREADABLE);
        }
        assertThat(elections.election("Bestellungen für Köln 名前", PATH)).isNotNull();
    }

    @Test
    void aForeignRecordCostsNoMoreThanTheWait() {
        admin.createElection();
        admin.create(RECORD, hostile.noise());
        Election a = candidate("a");
        awaitLeader(a);
        for (int i = 0; i < 10; i++) {
            admin.write(
                    RECORD,
                    i % 2 == 0
                            ? hostile.noise()
                            : hostile.damaged(LeaderRecord.released(1, 1_000).toJson()));
            a.leader();
        }
        await().during(Duration.ofSeconds(1)).atMost(BOUND).until(() -> a.isLeader() || a.role() == Role.CANDIDATE);
        admin.write(RECORD, "]".getBytes(UTF_8));
        eventually().until(a::isLeader);
        Election b = candidate("b");
        a.close();
        awaitLeader(b);
    }
}
