package io.github.leaderelection.zookeeper.placement;

import static io.github.leaderelection.zookeeper.placement.SpreadWorld.SECONDS;
import static io.github.leaderelection.zookeeper.placement.SpreadWorld.SETTLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The policy alone, in virtual time. F86. */
@Tag("F86")
@Tag("virtual-time")
class SpreadPolicyTests {

    private static final int ELECTIONS = 1_000;
    private static final long ENOUGH = 3 * SETTLE;

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7, 10, 25, 50})
    @DisplayName("Spreads 1,000 elections of one connection evenly, moving none of them twice")
    void spreadsEvenly(int size) {
        SpreadWorld world = world(size, size);
        start(world);
        int excess = world.excess();
        settle(world);
        assertThat(world.moves).isEqualTo(excess);
        assertThat(world.movesOf.values()).allMatch(moves -> moves == 1);
    }

    @RepeatedTest(24)
    @DisplayName("Stays even through joins, leaves and crashes, with few moves, and is silent afterwards")
    void staysEven(RepetitionInfo info) {
        int number = info.getCurrentRepetition();
        SpreadWorld world = world(number, 2 * number);
        // Slow work makes for many looks, which take long with many connections.
        world.drain = number % 4 == 0 && number <= 12 ? 8 * SECONDS : world.drain;
        start(world);
        settle(world);
        for (int i = 0; i < 10; i++) {
            change(world, "n" + i);
            // A take-over follows a crash after a while.
            world.run(5 * SECONDS);
            world.resetMoves();
            int excess = world.excess();
            settle(world);
            assertThat(world.moves)
                    .as("moves, with an excess of %d: %s", excess, world)
                    .isLessThanOrEqualTo(2 * excess);
            assertThat(world.movesOf.values()).as("moves of one election").allMatch(moves -> moves <= 2);
        }
    }

    private static void change(SpreadWorld world, String name) {
        List<String> names = new ArrayList<>(world.connections.keySet());
        String any = names.get(world.random.nextInt(names.size()));
        switch (world.random.nextInt(3)) {
            case 0 -> world.join(name);
            case 1 -> {
                if (names.size() > 2) {
                    world.leave(any);
                }
            }
            default -> {
                if (names.size() > 2) {
                    world.crash(any);
                }
            }
        }
    }

    @Test
    @DisplayName("A connection that leaves hands over evenly, so that nothing has to move afterwards")
    void leavesEvenly() {
        SpreadWorld world = world(1, 10);
        start(world);
        settle(world);
        world.leave("c3");
        world.run(5 * SECONDS);
        world.resetMoves();
        settle(world);
        assertThat(world.moves).isZero();
    }

    @Test
    @DisplayName("Two connections that give to the same one at once give it no more than its share")
    void twoDonorsAtOnce() {
        for (int seed = 0; seed < 20; seed++) {
            SpreadWorld world = world(seed, 2);
            start(world);
            settle(world);
            world.join("late");
            world.resetMoves();
            int excess = world.excess();
            settle(world);
            assertThat(world.moves).as("seed %d", seed).isBetween(excess, excess * 11 / 10);
        }
    }

    @Test
    @DisplayName(
            "Thirty elections are soon even after two connections and a third one have settled, with as few moves as can be")
    void isSoonEven() {
        for (int seed = 0; seed < 300; seed++) {
            SpreadWorld world = new SpreadWorld(seed);
            world.join("a");
            // The names decide who looks first.
            world.join("b" + seed);
            for (int election = 0; election < 30; election++) {
                world.connections.get("a").lead(election);
            }
            world.run(SETTLE + 5 * SECONDS);
            assertThat(world.loads()).as("seed %d", seed).containsExactly(15, 15);
            world.run(SETTLE + world.random.nextInt(60) * SECONDS);
            world.join("c" + seed);
            world.run(SETTLE + 5 * SECONDS);
            assertThat(world.loads()).as("seed %d", seed).containsExactly(10, 10, 10);
            assertThat(world.moves).as("seed %d", seed).isEqualTo(15 + 10);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 10, 20, 50})
    @DisplayName("Ends evenly and with few moves, although loads are seen up to five seconds late")
    void staleLoads(int size) {
        SpreadWorld world = new SpreadWorld(size);
        world.lag = 5 * SECONDS;
        join(world, size);
        start(world);
        int excess = world.excess();
        settle(world);
        assertThat(world.moves).isLessThanOrEqualTo(2 * excess);
        world.join("late");
        world.resetMoves();
        int more = world.excess();
        settle(world);
        assertThat(world.moves).isLessThanOrEqualTo(2 * more);
        assertThat(world.movesOf.values()).allMatch(moves -> moves <= 2);
    }

    @Test
    @DisplayName("Fifty connections give the newcomer one election each, and not all of them do")
    void manyDonorsAtOnce() {
        for (int seed = 0; seed < 20; seed++) {
            SpreadWorld world = world(seed, 49);
            start(world);
            settle(world);
            world.join("late");
            world.resetMoves();
            int excess = world.excess();
            settle(world);
            assertThat(world.moves).as("seed %d", seed).isLessThanOrEqualTo(2 * excess);
        }
    }

    @Test
    @DisplayName("Moves nothing while connections come and go")
    void movesNothingDuringARollingRestart() {
        SpreadWorld world = world(1, 3);
        start(world);
        settle(world);
        world.resetMoves();
        for (String name : List.of("c0", "c1", "c2")) {
            world.leave(name);
            world.run(SETTLE / 3);
            world.join("new-" + name);
            world.run(SETTLE / 3);
        }
        assertThat(world.moves).isZero();
        settle(world);
        assertThat(world.moves).isLessThanOrEqualTo(ELECTIONS / 2);
    }

    @Test
    @DisplayName("Gives nothing to a connection that leads and whose heartbeat does not move")
    void avoidsTheDead() {
        SpreadWorld world = world(1, 3);
        start(world);
        settle(world);
        SpreadWorld.Connection frozen = world.connections.get("c1");
        frozen.frozen = true;
        int before = frozen.led.size();
        for (int election = ELECTIONS; election < ELECTIONS + 100; election++) {
            world.connections.get("c0").lead(election);
        }
        world.run(ENOUGH);
        assertThat(frozen.led).hasSize(before);
        assertThat(world.connections.get("c2").led.size()).isGreaterThan(before + 30);
    }

    @Test
    @DisplayName("A connection that does not spread gives nothing, and is given its share")
    void oneThatDoesNotSpread() {
        SpreadWorld world = new SpreadWorld(1);
        world.join("off", false);
        world.join("on1");
        world.join("on2");
        for (int election = 0; election < 60; election++) {
            world.connections.get("off").lead(election);
        }
        world.run(ENOUGH);
        assertThat(world.moves).isZero();
        for (int election = 60; election < 360; election++) {
            world.connections.get("on1").lead(election);
        }
        world.run(5 * SETTLE);
        assertThat(world.loads()).containsExactly(120, 120, 120);
    }

    @Test
    @DisplayName("Evens out connections that share elections, even if others do not take part in these")
    void partialCandidates() {
        SpreadWorld world = world(1, 3);
        for (int election = 0; election < 40; election++) {
            world.restricted.put(election, Set.of("c0"));
            world.connections.get("c0").lead(election);
        }
        for (int election = 40; election < 52; election++) {
            world.restricted.put(election, Set.of("c1", "c2"));
            world.connections.get("c1").lead(election);
        }
        world.run(10 * SETTLE);
        assertThat(world.loads()).containsExactly(40, 6, 6);
        world.resetMoves();
        world.run(10 * SETTLE);
        assertThat(world.moves).isZero();
    }

    private static SpreadWorld world(long seed, int size) {
        SpreadWorld world = new SpreadWorld(seed);
        join(world, size);
        return world;
    }

    private static void join(SpreadWorld world, int size) {
        for (int i = 0; i < size; i++) {
            world.join("c" + i);
        }
    }

    /** One connection leads everything. */
    private static void start(SpreadWorld world) {
        for (int election = 0; election < ELECTIONS; election++) {
            world.connections.get("c0").lead(election);
        }
    }

    /** Waits until nothing moves any more, and checks that it stays so. */
    private static void settle(SpreadWorld world) {
        world.run(world.drain > SECONDS ? 100 * ENOUGH : world.lag > 0 ? 2 * ENOUGH : ENOUGH);
        assertThat(world.spread()).as("%s", world).isLessThanOrEqualTo(1);
        int moves = world.moves;
        world.run(4 * SETTLE);
        assertThat(world.moves).as("moves afterwards").isEqualTo(moves);
    }
}
