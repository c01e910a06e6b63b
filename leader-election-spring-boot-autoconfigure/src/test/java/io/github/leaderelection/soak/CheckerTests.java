package io.github.leaderelection.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.soak.Violation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each violation in a history that is otherwise correct. Times are in milliseconds. */
class CheckerTests {

    private static final Duration BOUND = Duration.ofSeconds(6);
    private static final Duration SESSION = Duration.ofSeconds(2);
    private static final long TOKEN_A = 11;
    private static final long TOKEN_B = 12;

    private final List<ObservedTerm> terms =
            new ArrayList<>(List.of(term("a.1", 1, TOKEN_A, 0, 10_000), term("b.1", 1, TOKEN_B, 13_000, 30_000)));
    private final List<ListenerEvent> events = new ArrayList<>(List.of(
            granted("a.1", 1, 1, TOKEN_A), revoked("a.1", 10_001, 1, TOKEN_A), granted("b.1", 13_001, 1, TOKEN_B)));
    private final List<WriteAttempt> attempts = new ArrayList<>();
    private final Map<FencedResource, List<Long>> accepted = new EnumMap<>(Map.of(
            FencedResource.ZOOKEEPER,
            List.of(TOKEN_A, TOKEN_A, TOKEN_B),
            FencedResource.SQL,
            List.of(TOKEN_A, TOKEN_B)));
    private final List<Fault> faults = new ArrayList<>(List.of(fault(FaultKind.CANDIDATE_PAUSED, 10_000, 14_000)));
    private final List<TimeSpan> unhealthy = new ArrayList<>();
    private FinalState finalState =
            new FinalState(nanos(29_000), Set.of("a.1", "b.1"), List.of("b.1", "a.1"), 2, List.of());

    private static long nanos(double millis) {
        return (long) (millis * 1_000_000);
    }

    private static ObservedTerm term(String candidate, long term, long token, double from, double to) {
        return new ObservedTerm(
                candidate,
                term,
                token,
                nanos(from - 1),
                nanos(from),
                nanos(from + 0.01),
                nanos(to - 0.01),
                nanos(to),
                nanos(to + 1));
    }

    private static ListenerEvent granted(String candidate, double at, long term, long token) {
        return new ListenerEvent(candidate, nanos(at), term, token, "", false);
    }

    private static ListenerEvent revoked(String candidate, double at, long term, long token) {
        return new ListenerEvent(candidate, nanos(at), term, token, "CONNECTION_LOST", false);
    }

    private static Fault fault(FaultKind kind, double from, double to) {
        return new Fault(kind, "c1", nanos(from), nanos(to));
    }

    private CheckResult check() {
        return Checker.check(
                new History(
                        new TimeSpan(0, nanos(30_000)),
                        terms,
                        events,
                        attempts,
                        accepted,
                        faults,
                        unhealthy,
                        0,
                        finalState),
                BOUND,
                SESSION);
    }

    private void finds(Kind kind, String what) {
        assertThat(check().violations()).singleElement().satisfies(violation -> {
            assertThat(violation.kind()).isEqualTo(kind);
            assertThat(violation.what()).contains(what);
        });
    }

    @Test
    void aHistoryWithoutAViolationHasNone() {
        assertThat(check().violations()).isEmpty();
        assertThat(check().longestLeaderless()).isBetween(2.99, 3.01);
        assertThat(check().undecided()).isZero();
    }

    @Test
    void twoLeadersAtOnceAreFound() {
        terms.add(term("c.1", 1, 13, 29_900, 30_000));

        finds(Kind.TWO_LEADERS, "b.1 (term 1, token 12, from 13.000010 s");
    }

    @Test
    void aSingleYesWithinTheTermOfAnotherIsFound() {
        terms.add(new ObservedTerm(
                "c.1", 1, 0, nanos(20_000), nanos(20_001), nanos(20_002), nanos(20_001), nanos(20_002), nanos(20_003)));

        finds(Kind.TWO_LEADERS, "c.1");
    }

    @Test
    void aYesThatMayHaveBeenGivenEarlierIsNoViolation() {
        // Asked before b leads, answered after that: paused in between.
        terms.add(new ObservedTerm(
                "c.1", 1, 0, nanos(9_999), nanos(10_002), nanos(13_500), nanos(10_002), nanos(13_500), nanos(13_501)));

        assertThat(check().violations()).isEmpty();
    }

    @Test
    void overlapsThatSamplingCannotDecideAreCountedAndMeasured() {
        terms.set(1, term("b.1", 1, TOKEN_B, 10_000.5, 30_000));
        events.set(2, granted("b.1", 10_002, 1, TOKEN_B));

        CheckResult result = check();

        assertThat(result.violations()).isEmpty();
        assertThat(result.undecided()).isEqualTo(1);
        assertThat(result.longestUndecided()).isEqualTo(nanos(1.5));
    }

    @Test
    void aLeaderThatWasPausedDuringItsSuccessionIsCounted() {
        ObservedTerm paused = terms.get(0);
        terms.set(
                0,
                new ObservedTerm(
                        paused.candidate(),
                        paused.number(),
                        paused.token(),
                        paused.noBefore(),
                        paused.firstAsked(),
                        paused.firstAnswered(),
                        paused.lastAsked(),
                        paused.lastAnswered(),
                        nanos(14_000)));

        CheckResult result = check();

        assertThat(result.violations()).isEmpty();
        assertThat(result.undecided()).isZero();
        assertThat(result.pausedLeaders()).isEqualTo(1);
    }

    @Test
    void aTokenThatFallsIsFound() {
        terms.set(1, term("b.1", 1, TOKEN_A - 1, 13_000, 30_000));

        finds(Kind.TOKEN_DID_NOT_GROW, "b.1 (term 1, token 10");
    }

    @Test
    void theSameTokenOfAnotherCandidateIsFound() {
        terms.set(1, term("b.1", 1, TOKEN_A, 13_000, 30_000));

        finds(Kind.TOKEN_DID_NOT_GROW, "came after a.1");
    }

    @Test
    void aCandidateThatLeadsAgainWithItsNodeMayHaveTheSameToken() {
        terms.add(0, term("a.1", 1, TOKEN_A, -20, -10));

        assertThat(check().violations()).isEmpty();
    }

    @Test
    void anOlderTokenInZooKeeperIsFound() {
        accepted.put(FencedResource.ZOOKEEPER, List.of(TOKEN_A, TOKEN_B, TOKEN_A));

        finds(Kind.OLDER_TOKEN_ACCEPTED, "ZOOKEEPER, write 2: token 11 after 12");
    }

    @Test
    void anOlderTokenInTheTableIsFound() {
        accepted.put(FencedResource.SQL, List.of(TOKEN_B, TOKEN_A));

        finds(Kind.OLDER_TOKEN_ACCEPTED, "SQL");
    }

    @Test
    void aLeaderThatTheTableRefusesIsFound() {
        attempts.add(new WriteAttempt("a.1", nanos(5_000), FencedResource.SQL, WriteOutcome.REFUSED, TOKEN_A, true));

        finds(Kind.LEADER_REFUSED, "a.1, token 11");
    }

    @Test
    void aRefusedWriteOfAFormerLeaderIsNoViolation() {
        attempts.add(new WriteAttempt("a.1", nanos(14_000), FencedResource.SQL, WriteOutcome.REFUSED, TOKEN_A, false));

        assertThat(check().violations()).isEmpty();
    }

    @Test
    void twoGrantsInARowAreFound() {
        events.add(granted("b.1", 14_000, 2, TOKEN_B));

        finds(Kind.GRANTED_AND_REVOKED_DO_NOT_ALTERNATE, "b.1 received granted of term 2");
    }

    @Test
    void aRevocationWithoutAGrantIsFound() {
        events.add(revoked("a.1", 14_000, 1, TOKEN_A));

        finds(Kind.GRANTED_AND_REVOKED_DO_NOT_ALTERNATE, "a.1 received revoked of term 1");
    }

    @Test
    void aRevocationOfAnotherTermIsFound() {
        events.set(1, revoked("a.1", 10_001, 7, TOKEN_A));

        finds(Kind.GRANTED_AND_REVOKED_DO_NOT_ALTERNATE, "a.1 received revoked of term 7");
    }

    @Test
    void aTermThatIsValidWhenItIsRevokedIsFound() {
        events.set(1, new ListenerEvent("a.1", nanos(10_001), 1, TOKEN_A, "STEPPED_DOWN", true));

        finds(Kind.VALID_WHEN_REVOKED, "a.1, term 1");
    }

    @Test
    void tooLongWithoutALeaderIsFound() {
        terms.set(1, term("b.1", 1, TOKEN_B, 16_500, 30_000));

        finds(Kind.NO_LEADER_FOR_TOO_LONG, "6.500 s, from 10.000000 s to 16.500000 s; 6.000 s are allowed");
    }

    @Test
    void theSessionOfACandidateThatWasKilledInAnOutageMayHaveToEndFirst() {
        unhealthy.add(new TimeSpan(nanos(9_000), nanos(10_000)));
        faults.set(0, fault(FaultKind.CANDIDATE_KILLED, 10_000, 10_000));
        terms.set(1, term("b.1", 1, TOKEN_B, 17_500, 30_000));
        assertThat(check().violations()).isEmpty();

        terms.set(1, term("b.1", 1, TOKEN_B, 18_500, 30_000));
        finds(Kind.NO_LEADER_FOR_TOO_LONG, "8.500 s, from 10.000000 s to 18.500000 s; 8.000 s are allowed");
    }

    @Test
    void thatOfALeaderThatWasKilledRightBeforeAnOutageAsWell() {
        faults.set(0, fault(FaultKind.CANDIDATE_KILLED, 9_999, 10_500));
        unhealthy.add(new TimeSpan(nanos(11_000), nanos(13_000)));
        terms.set(1, term("b.1", 1, TOKEN_B, 20_500, 30_000));
        assertThat(check().violations()).isEmpty();

        terms.set(1, term("b.1", 1, TOKEN_B, 21_500, 30_000));
        finds(Kind.NO_LEADER_FOR_TOO_LONG, "8.500 s, from 13.000000 s to 21.500000 s; 8.000 s are allowed");
    }

    @Test
    void thatOfALeaderThatIsCutOffWhenAnOutageEndsAsWell() {
        unhealthy.add(new TimeSpan(nanos(10_000), nanos(13_000)));
        faults.set(0, fault(FaultKind.LINKS_BLACK_HOLED, 12_000, 15_000));
        terms.set(1, term("b.1", 1, TOKEN_B, 20_500, 30_000));
        assertThat(check().violations()).isEmpty();

        faults.set(0, fault(FaultKind.NODE_DELETED, 12_000, 12_000));
        finds(Kind.NO_LEADER_FOR_TOO_LONG, "7.500 s, from 13.000000 s to 20.500000 s; 6.000 s are allowed");
    }

    @Test
    void tooLongWithoutALeaderUntilTheEndIsFound() {
        terms.set(1, term("b.1", 1, TOKEN_B, 13_000, 20_000));
        events.add(revoked("b.1", 20_001, 1, TOKEN_B));

        assertThat(check().violations())
                .extracting(Violation::kind)
                .containsExactly(Kind.NO_LEADER_FOR_TOO_LONG, Kind.NOT_ONE_LEADER_AT_THE_END);
    }

    @Test
    void noLeaderIsRequiredWhileTheEnsembleIsUnhealthy() {
        terms.set(1, term("b.1", 1, TOKEN_B, 26_500, 30_000));
        unhealthy.add(new TimeSpan(nanos(10_500), nanos(22_000)));

        assertThat(check().violations()).isEmpty();
        assertThat(check().longestLeaderless()).isBetween(4.49, 4.51);
    }

    @Test
    void noLeaderIsRequiredWhileAConnectionIsBad() {
        terms.set(1, term("b.1", 1, TOKEN_B, 18_000, 30_000));
        faults.add(fault(FaultKind.LINKS_FLAPPING, 10_100, 14_000));

        assertThat(check().violations()).isEmpty();
    }

    @Test
    void eachFaultStartsTheTimeAgain() {
        terms.set(1, term("b.1", 1, TOKEN_B, 18_000, 30_000));
        faults.add(fault(FaultKind.CANDIDATE_KILLED, 13_000, 30_000));

        assertThat(check().violations()).isEmpty();
        assertThat(check().longestLeaderless()).isBetween(4.99, 5.01);
        assertThat(check().longestThroughFaults()).isBetween(7.99, 8.01);
    }

    @Test
    void aMissingLeaderAtTheEndIsFound() {
        finalState = new FinalState(nanos(12_000), finalState.expected(), finalState.owners(), 2, List.of());

        finds(Kind.NOT_ONE_LEADER_AT_THE_END, "0 at 12.000000 s");
    }

    @Test
    void aNodeOfADeadCandidateIsFound() {
        finalState = new FinalState(finalState.at(), finalState.expected(), List.of("b.1", "a.1", "c.1"), 2, List.of());

        finds(Kind.STRAY_NODE, "of c.1");
    }

    @Test
    void aSecondNodeOfOneCandidateIsFound() {
        finalState = new FinalState(finalState.at(), finalState.expected(), List.of("b.1", "a.1", "a.1"), 2, List.of());

        finds(Kind.STRAY_NODE, "of a.1");
    }

    @Test
    void aMissingNodeOfACandidateIsFound() {
        finalState = new FinalState(finalState.at(), finalState.expected(), List.of("b.1"), 2, List.of());

        finds(Kind.STRAY_NODE, "no node of [a.1]");
    }

    @Test
    void aSurplusHeartbeatIsFound() {
        finalState = new FinalState(finalState.at(), finalState.expected(), finalState.owners(), 3, List.of());

        finds(Kind.STRAY_NODE, "3 heartbeats of 2 candidates");
    }

    @Test
    void aNodeThatIsLeftAtTheEndIsFound() {
        finalState = new FinalState(
                finalState.at(), finalState.expected(), finalState.owners(), 2, List.of("c-1234-0000000007 of a.1"));

        finds(Kind.STRAY_NODE, "c-1234-0000000007 of a.1, after all had left");
    }

    @Test
    void anEmptyHistoryIsAViolation() {
        terms.clear();
        events.clear();
        faults.clear();
        accepted.clear();

        assertThat(check().violations())
                .filteredOn(violation -> violation.kind() == Kind.NOTHING_OBSERVED)
                .hasSize(4);
    }
}
