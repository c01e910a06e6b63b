package io.github.leaderelection.zookeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.fixture.RecordedLog;
import io.github.leaderelection.zookeeper.fixture.ReportFile;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation finds a violation if a rule of the design is removed, see {@link SimMutations}, {@link SimTakeOverMutations},
 * {@link SimHeartbeatMutations} and {@link SimMoveMutations}. The mutations and the schedules that found them are listed in {@code target/test-measurements/simulation-mutations.md}. With the first words of a
 * rule and one of its schedules, {@code -Dsimulation.mutation="lease counted" -Dsimulation.seed=45} runs only that schedule
 * and prints a line for everything that happens.
 *
 * <p>Some rules cannot be removed by a decorator:
 *
 * <ul>
 *   <li>A candidacy that has led with a node never adopts another one (F69). Only a candidacy whose create is unanswered
 *       searches for its node by GUID; one that has led never does. Nor are there two nodes of a candidacy at a time: the
 *       first one is searched for after a write through the quorum (see {@code settledBySync}).
 *   <li>The record's holder is not compared by candidate id (F22), since the record does not contain the id.
 *   <li>The claim and the take-over check that the own node exists. The answer to setting its watch, or the event of a watch
 *       that is set, comes before their answer and shows it as well (see {@code takeOverWithoutOwnNode}, which finds nothing).
 *   <li>An heir's sighting ends with the connection. For a take-over that is not needed: the version decides. It only keeps the
 *       heir from deposing, after an outage that hit both, a leader that is about to renew its lease. For a claim it is
 *       needed (see {@code observedLeaseAcrossReconnect}).
 * </ul>
 */
@Tag("virtual-time")
class SimulationMutationTests {

    private static final int MOST_SCHEDULES = 12_000;
    private static final @Nullable String REPLAYED = System.getProperty("simulation.mutation");

    /** A violation that is found in a callback passes through the engine, which logs it. */
    @RegisterExtension
    final RecordedLog log = new RecordedLog();

    private static final ReportFile TABLE = ReportFile.of("simulation-mutations.md");

    /**
     * @param watched the invariants that are checked; others would find some mutations too easily
     * @param profile the schedules that provoke it; null: all
     */
    private record Mutation(
            String rule,
            String fault,
            Set<SimInvariant> watched,
            Supplier<SimMutation> change,
            @Nullable SimProfile profile) {

        Mutation(String rule, String fault, Set<SimInvariant> watched, Supplier<SimMutation> change) {
            this(rule, fault, watched, change, null);
        }

        /** For one that needs a combination which hardly ever occurs in other schedules. */
        Mutation in(SimProfile provoking) {
            return new Mutation(rule, fault, watched, change, provoking);
        }

        SimProfile profileOf(long seed) {
            return profile == null ? Simulation.profileOf(seed) : profile;
        }

        @Override
        public String toString() {
            return rule + " (" + fault + ")";
        }
    }

    private static Mutation exclusive(String rule, String fault, Supplier<SimMutation> change) {
        return new Mutation(rule, fault, EnumSet.of(SimInvariant.I1, SimInvariant.I7), change);
    }

    /** Also if a leader is deposed within its lease, which becomes a second leader only if it hears of that late. */
    private static Mutation inTime(String rule, String fault, Supplier<SimMutation> change) {
        return new Mutation(
                rule, fault, EnumSet.of(SimInvariant.I1, SimInvariant.I7, SimInvariant.DEPOSED_IN_TIME), change);
    }

    /** All mutations, or the one to replay. */
    static Stream<Mutation> mutations() {
        return all().filter(mutation -> REPLAYED == null || mutation.rule().startsWith(REPLAYED));
    }

    private static Stream<Mutation> all() {
        return Stream.of(
                exclusive("lease counted from the answer", "F10", SimMutations::leaseFromTheAnswer),
                new Mutation(
                        "claim without the record's version",
                        "F67",
                        EnumSet.of(SimInvariant.I1, SimInvariant.I7, SimInvariant.ENDED),
                        SimMutations::claimWithoutVersion),
                exclusive("claim without the heartbeat", "F71", SimMutations::claimWithoutBeat)
                        .in(SimProfile.RETURNS),
                exclusive("claim after one list", "F8", SimMutations::claimAfterOneList)
                        .in(SimProfile.SUCCESSION),
                exclusive("wait counted from the sending of that list", "F8", SimMutations::waitFromTheSending),
                exclusive("wait counted from an earlier list", "F2", SimMutations::waitFromAnEarlierList),
                exclusive("wait for the own lease, not the record's", "F63", SimMutations::waitOwnLease),
                exclusive("no margin for clocks", "F20", SimMutations::waitWithoutMargin),
                exclusive("no wait if the record is missing", "F64", SimMutations::noWaitWithoutRecord),
                exclusive("named: own lease, though the record's is shorter", "F63", SimMutations::namedWithOwnLease),
                exclusive("named: leads before a heartbeat is acknowledged", "F24", SimMutations::namedWithoutBeat),
                exclusive("renewed by reads", "F13, F14", () -> SimMutations.renewedBy(p -> new Request.Get(p, false))),
                exclusive("renewed by sync", "F15", () -> SimMutations.renewedBy(SimMutations::sync)),
                exclusive("own node never watched", "F9, F70", SimMutations::neverArmed),
                exclusive(
                        "acknowledgement counts while the watch is being set", "F70", SimMutations::countedWhileArming),
                exclusive("watches lost in a reconnect are taken for set", "F70", SimMutations::believesWatchesKept)
                        .in(SimProfile.SUCCESSION),
                exclusive("answers overtake watch events", "F10, F70", SimMutations::eventsOvertaken),
                exclusive("only the monotonic clock", "F19", SimMutations::onlyMonotonicClock),
                new Mutation(
                        "hand-over without the record's version",
                        "F67",
                        EnumSet.of(SimInvariant.I1, SimInvariant.I7, SimInvariant.ENDED),
                        SimMutations::handOverWithoutVersion),
                exclusive("leads until the hand-over is answered", "F12", SimMutations::leadsUntilHandedOver),
                exclusive("leads on after a lost hand-over", "F65", SimMutations::resumesAfterLostHandOver)
                        .in(SimProfile.FLAKY),
                new Mutation(
                        "leaves while work of its last term is running",
                        "F32",
                        EnumSet.of(SimInvariant.I6),
                        SimMutations::leavesUndrained),
                new Mutation(
                        "leads again while a listener works for its last term",
                        "F89",
                        EnumSet.of(SimInvariant.I6),
                        SimMutations::leadsWhileListenersWork),
                new Mutation(
                        "searches for its node after a sync, not after a write",
                        "F28, F30",
                        EnumSet.of(SimInvariant.I3, SimInvariant.I4),
                        SimMutations::settledBySync),
                exclusive("holder compared by GUID, not by node name", "F69", SimMutations::heldByGuid),
                exclusive(
                        "observed heartbeat of another candidate than the holder",
                        "F71",
                        SimMutations::observedLeaseOfAnother),
                exclusive(
                        "observed heartbeat from before a reconnect",
                        "F71",
                        SimMutations::observedLeaseAcrossReconnect),
                exclusive("guard by the record's version", "F68", SimMutations::guardByVersion)
                        .in(SimProfile.ADMINISTRATION),
                exclusive("token of the node, not of the record", "F22", SimTakeOverMutations::tokenOfTheNode),
                inTime(
                        "take-over without the version that was sighted",
                        "F71",
                        SimTakeOverMutations::takeOverWithoutSightedVersion),
                exclusive(
                        "take-over without deleting the holder's node",
                        "F9",
                        SimTakeOverMutations::takeOverWithoutDeletion),
                new Mutation(
                                "take-over without the record's version",
                                "F67",
                                EnumSet.of(SimInvariant.I1, SimInvariant.I7, SimInvariant.ENDED),
                                SimTakeOverMutations::takeOverWithoutRecordVersion)
                        .in(SimProfile.SUCCESSION),
                inTime("take-over without the heartbeat", "F71", SimTakeOverMutations::takeOverWithoutBeat)
                        .in(SimProfile.RETURNS),
                inTime("version read when the wait is over", "F71", SimTakeOverMutations::versionReadAtTheEnd),
                inTime(
                        "sighting counted from the sending of the read",
                        "F8",
                        SimTakeOverMutations::sightingFromTheSending),
                inTime("heir waits for its own lease", "F63", SimTakeOverMutations::takeOverAfterOwnLease),
                inTime("heir waits without a margin", "F20", SimTakeOverMutations::takeOverWithoutMargin),
                inTime(
                        "heartbeat of another candidate than the holder sighted",
                        "F71",
                        SimTakeOverMutations::takeOverByAnothersSilence),
                new Mutation(
                                "silent while it drains",
                                "F32",
                                EnumSet.of(SimInvariant.I6),
                                SimTakeOverMutations::drainsInSilence)
                        .in(SimProfile.SUCCESSION),
                exclusive("a touched node counts as watched", "F70", SimTakeOverMutations::watchedAfterTouch),
                new Mutation(
                        "requested terms are moved like others",
                        "F86",
                        EnumSet.of(SimInvariant.REQUESTED),
                        SimMoveMutations::movesRequestedTerms),
                new Mutation(
                        "requested terms are not marked in the record",
                        "F86",
                        EnumSet.of(SimInvariant.REQUESTED),
                        SimMoveMutations::requestedTermUnmarked),
                inTime("deleted heartbeat created again", "F71", SimHeartbeatMutations::heartbeatCreatedAgain)
                        .in(SimProfile.SUCCESSION),
                new Mutation(
                        "beats on without an answer",
                        "F71",
                        EnumSet.of(SimInvariant.FAIL_OVER),
                        SimHeartbeatMutations::beatsWithoutAnswers),
                new Mutation(
                        "leaves the nodes of a former session behind",
                        "F34",
                        EnumSet.of(SimInvariant.FAIL_OVER),
                        SimHeartbeatMutations::leavesNodesBehind));
    }

    @BeforeAll
    static void beginTable() {
        TABLE.line("| mutation | fault | invariant violated | schedules needed |");
        TABLE.line("|---|---|---|---|");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutations")
    @DisplayName("The simulation finds a violation if a rule is removed")
    void findsAViolationIfARuleIsRemoved(Mutation mutation) {
        Long seed = Long.getLong("simulation.seed");
        if (REPLAYED != null && seed != null) {
            assertThat(violation(mutation, seed, new SimTrace(System.out)))
                    .as("violations with: %s, seed %d", mutation, seed)
                    .isPresent();
            return;
        }
        Optional<String> found = search(mutation);
        found.ifPresent(TABLE::line);
        assertThat(found).as("violations with: " + mutation).isPresent();
    }

    /** Searches in parallel; of several violations the one with the lowest seed counts, so that the table is reproducible. */
    private static Optional<String> search(Mutation mutation) {
        for (long first = 1; first < MOST_SCHEDULES; first += 200) {
            List<String> found = LongStream.range(first, first + 200)
                    .parallel()
                    .mapToObj(seed -> violation(mutation, seed, SimTrace.off()))
                    .flatMap(Optional::stream)
                    .toList();
            if (!found.isEmpty()) {
                return Optional.of(found.get(0));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> violation(Mutation mutation, long seed, SimTrace trace) {
        try {
            new Simulation(seed, mutation.profileOf(seed), mutation.change().get(), mutation.watched(), trace).run();
            return Optional.empty();
        } catch (SimViolation violation) {
            return Optional.of(
                    "| %s | %s | %s | %d |".formatted(mutation.rule(), mutation.fault(), violation.invariant(), seed));
        }
    }
}
