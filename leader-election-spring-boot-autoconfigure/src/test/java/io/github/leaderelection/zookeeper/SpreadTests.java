package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import io.github.leaderelection.HandOver.Outcome;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Elections that are spread over the connections, on a real server. */
class SpreadTests extends ElectionTestSupport {

    private static final Duration SETTLE = Duration.ofSeconds(2);
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(10);
    private static final int ELECTIONS = 30;

    /** One instance, with a connection of its own. */
    private final class Instance implements AutoCloseable {

        private final ZooKeeperElections elections;
        private final List<Election> opened = new ArrayList<>();

        Instance(String id, UnaryOperator<ElectionOptions> change) {
            this(id, change, client(SESSION_TIMEOUT));
        }

        Instance(String id, UnaryOperator<ElectionOptions> change, ZooKeeper client) {
            ElectionOptions options =
                    options(id).lease(Duration.ofSeconds(2)).spread(SETTLE, 4).drainTimeout(Duration.ofSeconds(2));
            elections = over(client, change.apply(options));
        }

        Instance join(int from, int to) {
            for (int i = from; i < to; i++) {
                Election election = elections.election("e" + i, "/elections/e" + i);
                if (!opened.contains(election)) {
                    opened.add(election);
                }
                election.nominate();
            }
            return this;
        }

        long led() {
            return opened.stream().filter(Election::isLeader).count();
        }

        @Override
        public void close() {
            elections.close();
        }
    }

    private Instance start(String id) {
        return new Instance(id, UnaryOperator.identity()).join(0, ELECTIONS);
    }

    private static void awaitLed(long each, Instance... instances) {
        eventually()
                .untilAsserted(() ->
                        assertThat(Stream.of(instances).map(Instance::led)).containsOnly(each));
    }

    /** The new leader may lead before the old one has logged the move. */
    private void awaitMoves(int count, String fromOrTo) {
        eventually()
                .untilAsserted(() -> assertThat(moves().stream().filter(line -> line.contains(fromOrTo)))
                        .hasSize(count));
    }

    private List<String> moves() {
        return log.lines().stream()
                .filter(line -> line.contains("leadership moved"))
                .toList();
    }

    @Test
    @Tag("F86")
    @DisplayName("Elections are even after instances have joined, left and come back, and then nothing moves any more")
    void spreadsEvenly() {
        Instance first = start("first");
        awaitLed(ELECTIONS, first);
        Instance second = start("second");
        Instance third = start("third");
        awaitLed(10, first, second, third);
        awaitMoves(20, "from first to ");
        assertThat(moves()).allMatch(line -> line.contains("from first to ") && line.endsWith("(spread)"));

        // It knows how many the others lead when it has looked at their heartbeats.
        quiet(SETTLE, () -> moves().size() == 20);
        second.close();
        awaitLed(15, first, third);
        assertThat(moves()).as("moves of a leader that leaves").hasSizeLessThanOrEqualTo(21);

        Instance back = start("back");
        awaitLed(10, first, third, back);
        awaitMoves(10, " to back ");
        int before = moves().size();
        assertThat(before).isLessThanOrEqualTo(35);

        quiet(SETTLE.multipliedBy(3), () -> {
            assertThat(moves()).hasSize(before);
            return true;
        });
        // A loaded machine is slow to acknowledge heartbeats.
        assertThat(log.warnings()).allMatch(line -> line.startsWith("ZooKeeper took "));
    }

    @Test
    @DisplayName("Elections that are opened at run time are spread, and a term that was requested stays")
    void electionsOpenedAtRunTime() {
        Instance first = new Instance("first", UnaryOperator.identity()).join(0, 6);
        awaitLed(6, first);
        Instance second = new Instance("second", UnaryOperator.identity()).join(0, 6);
        awaitLed(3, first, second);

        first.join(6, 12);
        second.join(6, 12);
        awaitLed(6, first, second);

        // Those that spreading gives to the first instance from now on are not requested.
        List<Election> given = first.opened.stream().filter(Election::isLeader).toList();
        for (Election election : given) {
            // The instance that has just handed it over is back in the queue only a moment later.
            eventually()
                    .until(() -> election.candidates().stream()
                            .anyMatch(candidate -> candidate.id().equals("second")));
            assertThat(election.handOver("second").outcome()).isEqualTo(Outcome.DONE);
        }
        awaitLed(6, first, second);
        quiet(
                SETTLE.multipliedBy(2),
                () -> second.opened.stream()
                        .filter(Election::isLeader)
                        .map(Election::name)
                        .toList()
                        .equals(given.stream().map(Election::name).toList()));
    }

    @Test
    @DisplayName(
            "A leader that has lost its lease and leads again knows with whom to share, although nobody has joined since")
    void afterALostLease() {
        TcpProxy proxy = proxy();
        TcpProxy other = proxy();
        Instance first = new Instance("first", UnaryOperator.identity(), client(proxy, SESSION_TIMEOUT)).join(0, 6);
        awaitLed(6, first);
        Instance second = new Instance("second", UnaryOperator.identity(), client(other, SESSION_TIMEOUT)).join(0, 6);
        eventually().until(() -> second.opened.stream().allMatch(election -> election.role() == Role.FOLLOWER));
        proxy.blackHole();
        other.blackHole();
        awaitLed(0, first, second);

        proxy.open();
        other.open();

        awaitLed(3, first, second);
    }

    @Test
    @DisplayName("An instance that does not spread gives nothing, and is given its share")
    void anInstanceThatDoesNotSpread() {
        Instance off = new Instance("off", SpreadTests::withoutSpread).join(0, 4);
        awaitLed(4, off);
        Instance on = new Instance("on", UnaryOperator.identity()).join(0, 12);
        eventually().until(() -> on.led() == 8);
        quiet(SETTLE.multipliedBy(2), () -> off.led() == 4);

        off.join(4, 12);
        awaitLed(6, off, on);
        awaitMoves(2, "from on to off");
        assertThat(moves()).hasSize(2);
    }

    private static ElectionOptions withoutSpread(ElectionOptions options) {
        return options("off").lease(Duration.ofSeconds(2));
    }

    @Test
    @DisplayName("Only candidates of the highest priority share the elections")
    void onlyTheHighestPriority() {
        Instance low = new Instance("low", options -> options.priority(-1)).join(0, 6);
        awaitLed(6, low);
        Instance high = new Instance("high", UnaryOperator.identity()).join(0, 6);
        Instance higher = new Instance("higher", UnaryOperator.identity()).join(0, 6);
        quiet(SETTLE.multipliedBy(2), () -> low.led() == 6);

        low.close();
        awaitLed(3, high, higher);
        assertThat(moves()).isEmpty();
    }

    @Test
    @DisplayName("In a rollout that prefers the new version, each election moves once, to a new instance")
    void aRollout() {
        Deque<Instance> old = new ArrayDeque<>();
        for (int i = 0; i < 3; i++) {
            Instance instance = new Instance("old-" + i, options -> version(options, 1));
            old.add(instance.join(4 * i, 4 * i + 4));
            awaitLed(4, instance);
        }
        old.forEach(instance -> instance.join(0, 12));
        List<Instance> fresh = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            fresh.add(new Instance("new-" + i, options -> version(options, 2)).join(0, 12));
            Instance next = old.remove();
            eventually().until(() -> next.opened.stream().allMatch(SpreadTests::hasNewHeir));
            next.close();
        }

        eventually().until(() -> fresh.stream().mapToLong(Instance::led).sum() == 12);
        assertThat(log.lines().stream().filter(line -> line.matches(".*: new-\\d leads .*")))
                .hasSize(12);
        assertThat(log.lines().stream().filter(line -> line.matches(".*: old-\\d leads .*")))
                .hasSize(12);
    }

    /** Nothing settles, so only instances that leave move elections; and no lease is lost on a loaded machine. */
    private static ElectionOptions version(ElectionOptions options, int build) {
        return options.priority(build).spread(Duration.ofMinutes(10), 4).lease(Duration.ofSeconds(8));
    }

    private static boolean hasNewHeir(Election election) {
        return ManagedElection.of(election)
                .electorate()
                .join()
                .heir()
                .filter(heir -> heir.id().startsWith("new-"))
                .isPresent();
    }

    private static void quiet(Duration time, Callable<Boolean> condition) {
        eventually().during(time).until(condition);
    }
}
