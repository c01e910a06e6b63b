package io.github.leaderelection.zookeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.client.Request;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation bites: with any of the design's rules taken out, it finds a violation.
 *
 * <p>Some rules can't be taken out by a decorator, because they hold by construction:
 *
 * <ul>
 *   <li>● Once one of its nodes has led, a candidacy never adopts another (F69). Only a candidacy whose create is
 *       unanswered looks for its node by GUID; whoever has led is past that, and begins another candidacy. Nor are there
 *       two nodes of one at a time: the first is looked for after a write through the quorum (see {@code settledBySync}).
 *   <li>● Not HELD by id (F22): the record does not tell the holder's id.
 *   <li>● Never claim with a token that is not greater than the record's. Inside one election node the queue is in the
 *       order of the czxids, also after an overflow, and the record's token is that of somebody who was ahead. The rule
 *       comes to bear only where the sequence was set back by force.
 *   <li>The claim's check of our own node: the answer to setting its watch comes before the claim's, and tells.
 * </ul>
 */
class SimulationMutationTests {

    private static final int ENOUGH = 12_000;
    private static final StringBuilder TABLE =
            new StringBuilder("| mutation | fault | invariant violated | schedules needed |\n|---|---|---|---|\n");

    /** @param watched what is checked; proofs and the order of events would give some mutations away too easily */
    private record Mutated(String rule, String fault, Set<SimInvariant> watched, Supplier<SimMutation> mutation) {

        @Override
        public String toString() {
            return rule + " (" + fault + ")";
        }
    }

    private static Mutated exclusive(String rule, String fault, Supplier<SimMutation> mutation) {
        return new Mutated(rule, fault, EnumSet.of(SimInvariant.I1, SimInvariant.I7), mutation);
    }

    static Stream<Mutated> mutations() {
        return Stream.of(
                exclusive("lease counted from the answer", "F10", SimMutations::leaseFromTheAnswer),
                new Mutated(
                        "claim without the record's version",
                        "F67",
                        EnumSet.of(SimInvariant.I1, SimInvariant.I7, SimInvariant.ENDED),
                        SimMutations::claimWithoutVersion),
                exclusive("claim without the beat in it", "F71", SimMutations::claimWithoutBeat),
                exclusive("wait counted from the list's sending", "F8", SimMutations::waitFromTheSending),
                exclusive("wait counted from an earlier list", "F2", SimMutations::waitFromAnEarlierList),
                exclusive("own lease waited for, not the record's", "F63", SimMutations::waitOwnLease),
                exclusive("no margin for clocks", "F20", SimMutations::waitWithoutMargin),
                exclusive("no wait where the record is missing", "F64", SimMutations::noWaitWithoutRecord),
                exclusive("named: own lease, though the record's is shorter", "F63", SimMutations::namedWithOwnLease),
                exclusive("named: leads before a beat is acknowledged", "F24", SimMutations::namedWithoutBeat),
                exclusive("renewed by reads", "F13, F14", () -> SimMutations.renewedBy(p -> new Request.Get(p, false))),
                exclusive("renewed by sync", "F15", () -> SimMutations.renewedBy(SimMutations::sync)),
                exclusive("own watch never armed", "F9, F70", SimMutations::neverArmed),
                exclusive(
                        "acknowledgement counts while the watch is being armed",
                        "F70",
                        SimMutations::countedWhileArming),
                exclusive("watches taken for set that a reconnect has lost", "F70", SimMutations::believesWatchesKept),
                exclusive("events overtaken by answers", "F10, F70", SimMutations::eventsOvertaken),
                exclusive("only the monotonic clock", "F19", SimMutations::onlyMonotonicClock),
                new Mutated(
                        "hand-over without the record's version",
                        "F67",
                        EnumSet.of(SimInvariant.I1, SimInvariant.I7, SimInvariant.ENDED),
                        SimMutations::handOverWithoutVersion),
                exclusive("leads until the hand-over is answered", "F12", SimMutations::leadsUntilHandedOver),
                exclusive("goes on after a lost hand-over", "F65", SimMutations::resumesAfterLostHandOver),
                new Mutated(
                        "has left while work of its last term is running",
                        "F32",
                        EnumSet.of(SimInvariant.I6),
                        SimMutations::leavesUndrained),
                new Mutated(
                        "looks for its node after a sync, not after a write",
                        "F28, F30",
                        EnumSet.of(SimInvariant.I3, SimInvariant.I4),
                        SimMutations::settledBySync),
                exclusive("HELD by GUID, not by node name", "F69", SimMutations::heldByGuid),
                exclusive("observed lease of another than the holder", "F71", SimMutations::observedLeaseOfAnother),
                exclusive("observed lease across a reconnect", "F71", SimMutations::observedLeaseAcrossReconnect),
                exclusive("guard by the record's version", "F68", SimMutations::guardByVersion));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutations")
    @DisplayName("Without a rule a violation is found")
    void withoutARuleAViolationIsFound(Mutated mutated) {
        Optional<String> found = search(mutated);
        found.ifPresent(row -> TABLE.append(row).append('\n'));
        assertThat(found).as("violations with: " + mutated).isPresent();
    }

    /** Both cores look for it; of what they find at the same time the first counts, so that the table is always the same. */
    private static Optional<String> search(Mutated mutated) {
        for (long first = 1; first < ENOUGH; first += 200) {
            List<String> found = LongStream.range(first, first + 200)
                    .parallel()
                    .mapToObj(seed -> violation(mutated, seed))
                    .flatMap(Optional::stream)
                    .toList();
            if (!found.isEmpty()) {
                return Optional.of(found.get(0));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> violation(Mutated mutated, long seed) {
        try {
            new Simulation(
                            seed,
                            Simulation.profileOf(seed),
                            mutated.mutation().get(),
                            mutated.watched(),
                            SimTrace.off())
                    .run();
            return Optional.empty();
        } catch (SimViolation violation) {
            return Optional.of(
                    "| %s | %s | %s | %d |".formatted(mutated.rule(), mutated.fault(), violation.invariant(), seed));
        }
    }

    @AfterAll
    static void printTable() {
        System.out.println(TABLE);
    }
}
