package io.github.leaderelection.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.Role;
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
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Elections on nodes that others have written to, and candidates with names that nobody should have. */
class HostileNodesTests extends FaultTestBench {

    private static final long SEED = Long.getLong("fuzz.seed", System.nanoTime());
    /** What a line of a log must not have: control characters, line separators, and what reverses the text. */
    private static final String UNREADABLE = "[\\p{Cc}\\p{Cf}\\p{Cs}\\u2028\\u2029]";

    private final HostileText hostile = new HostileText(SEED);
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.leaderelection");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listenToTheLog() {
        System.out.printf("HostileNodesTests: seed %d%n", SEED);
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        logger.setLevel(Level.DEBUG);
        logger.setAdditive(false);
        logger.addAppender(log);
    }

    @AfterEach
    void theLogStaysReadable() {
        logger.detachAppender(log);
        logger.setAdditive(true);
        logger.setLevel(null);
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .allSatisfy(line ->
                        assertThat(line).doesNotContainPattern(UNREADABLE).hasSizeLessThan(1_000));
        assertThat(log.list).noneMatch(event -> event.getLevel() == Level.ERROR);
    }

    private void write(String path, byte[] data) {
        try {
            admin().setData(path, data, -1);
        } catch (KeeperException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String make(String path, byte[] data, CreateMode mode) {
        try {
            return admin().create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
        } catch (KeeperException.NodeExistsException twice) {
            return path;
        } catch (KeeperException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** So that the first in the queue need not wait. */
    private void nobodyLed() {
        make(RECORD, LeaderRecord.released(1, 1_000).toJson(), CreateMode.PERSISTENT);
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
    void childrenOfAnyNameAndDataDisturbNobody() {
        makePath();
        List<String> foreign = new ArrayList<>();
        while (foreign.size() < 200) {
            String name = foreign.size() % 2 == 0 ? hostile.text() : "c-" + hostile.text();
            if (isPossible(name)) {
                foreign.add(make(PATH + "/" + name, hostile.noise(), CreateMode.PERSISTENT));
            }
        }
        Election a = candidate("a");
        awaitLeader(a);
        Election b = candidate("b");
        eventually().until(() -> b.role() == Role.FOLLOWER);

        assertThat(b.leader()).get().extracting(Candidate::id).isEqualTo("a");
        assertThat(b.candidates()).extracting(Candidate::id).containsExactly("a", "b");
        a.stepDown();
        awaitLeader(b);
        b.close();
        awaitLeader(a);
    }

    @Test
    void dataThatOthersWroteToCandidatesNodesHidesThemAndNothingElse() {
        makePath();
        Election a = candidate("a");
        awaitLeader(a);
        Election b = candidate("b");
        eventually().until(() -> b.role() == Role.FOLLOWER);
        byte[] valid = new CandidateData("a", Map.of(), "/elections/.beats/b").toJson();
        for (int i = 0; i < 60; i++) {
            byte[] data = switch (i % 4) {
                case 0 -> hostile.noise();
                case 1 -> hostile.damaged(valid);
                case 2 -> hostile.foreignDocument("id", "metadata", "beat").getBytes(UTF_8);
                default -> null;
            };
            for (String node : nodes()) {
                write(PATH + "/" + node, data);
            }
            assertThat(b.candidates()).hasSize(2);
            assertThat(b.leader()).isPresent();
        }
        Election c = candidate("c");
        eventually().until(() -> c.role() == Role.FOLLOWER);

        a.stepDown();
        awaitLeader(b);
        b.stepDown();
        awaitLeader(c);
        c.close();
        awaitLeader(a);
    }

    @Test
    void aPredecessorWithAsMuchDataAsZooKeeperTakesIsFollowed() {
        makePath();
        nobodyLed();
        String stranger = make(PATH + "/c-stranger-", new byte[1_000_000], CreateMode.EPHEMERAL_SEQUENTIAL);
        Election a = candidate("a");
        eventually().until(() -> a.role() == Role.FOLLOWER);
        assertThat(a.candidates()).hasSize(2);

        deleteAll(stranger);

        awaitLeader(a);
    }

    @Test
    void aPredecessorWhoseDataIsTooLongForTheClientsBufferIsFollowedAllTheSame() throws Exception {
        makePath();
        nobodyLed();
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
        Recorder events = listenTo(other);
        other.nominate();
        awaitLeader(other);
        String stranger = make(PATH + "/c-stranger-", new byte[4_096], CreateMode.EPHEMERAL_SEQUENTIAL);

        Election election = elections.election("orders", PATH);
        election.nominate();

        eventually().until(() -> election.role() == Role.FOLLOWER && losses.get() >= 3);
        eventually().until(() -> client.getState() == ZooKeeper.States.CONNECTED);
        int before = losses.get();
        await().during(Duration.ofSeconds(4)).atMost(BOUND).until(other::isLeader);
        assertThat(losses.get() - before)
                .as("connections broken in four seconds")
                .isLessThanOrEqualTo(2);
        deleteAll(stranger);
        await().atMost(Duration.ofSeconds(60)).until(election::isLeader);
        await().untilAsserted(() -> assertThat(events.events()).containsExactly("granted"));
    }

    @Test
    void aBeatThatIsNoBeatIsNotTouched() throws Exception {
        makePath();
        nobodyLed();
        make("/application", CreateMode.PERSISTENT);
        var told = new CopyOnWriteArrayList<WatchedEvent>();
        ZooKeeper client = client();
        Watcher ofTheApplication = told::add;
        client.getData("/application", ofTheApplication, null);
        String stranger = make(
                PATH + "/c-stranger-",
                "{\"id\":\"x\",\"beat\":\"/application\"}".getBytes(UTF_8),
                CreateMode.EPHEMERAL_SEQUENTIAL);
        Election a = candidate(client, "a");
        eventually().until(() -> a.status().following().isPresent());
        deleteAll(stranger);
        awaitLeader(a);

        write("/application", "changed".getBytes(UTF_8));

        await().atMost(BOUND).until(() -> !told.isEmpty());
        assertThat(told).extracting(WatchedEvent::getType).containsExactly(Watcher.Event.EventType.NodeDataChanged);
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
            Election election = nominated(elections);
            awaitLeader(election);
            assertThat(election.candidates())
                    .containsExactly(election.leadership().orElseThrow().candidate())
                    .extracting(Candidate::id)
                    .containsExactly(options.electionConfig("orders", PATH).id());
            election.stepDown();
            awaitLeader(election);
            elections.close();
        }
        assertThat(log.list)
                .filteredOn(event -> event.getFormattedMessage().matches("(?s).* (leads|no longer leads: \\w+) \\(.*"))
                .hasSizeGreaterThanOrEqualTo(ids.size() * 4);
    }

    @Test
    void anElectionHasANodeOfItsOwn() {
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
    void aRecordThatOthersWroteCostsTheWaitAndNoMore() {
        makePath();
        make(RECORD, hostile.noise(), CreateMode.PERSISTENT);
        Election a = candidate("a");
        awaitLeader(a);
        for (int i = 0; i < 10; i++) {
            write(
                    RECORD,
                    i % 2 == 0
                            ? hostile.noise()
                            : hostile.damaged(LeaderRecord.released(1, 1_000).toJson()));
            a.leader();
        }
        await().during(Duration.ofSeconds(1)).atMost(BOUND).until(() -> a.isLeader() || a.role() == Role.CANDIDATE);
        write(RECORD, "]".getBytes(UTF_8));
        eventually().until(a::isLeader);
        Election b = candidate("b");
        a.close();
        awaitLeader(b);
    }
}
