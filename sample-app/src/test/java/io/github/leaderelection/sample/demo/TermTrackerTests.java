package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Role;
import io.github.leaderelection.sample.demo.History.Incarnation;
import io.github.leaderelection.sample.demo.TermTracker.Term;
import io.github.leaderelection.sample.shop.ElectionLog.Entry;
import io.github.leaderelection.sample.shop.ElectionLog.Type;
import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TermTrackerTests {

    private static final Instant START = Instant.parse("2026-11-16T12:00:00Z");
    private static final Incarnation FIRST = new Incarnation("shop-1", START);
    private static final Incarnation SECOND = new Incarnation("shop-2", START);

    private final TermTracker terms = new TermTracker();

    private static Instant at(long millis) {
        return START.plusMillis(millis);
    }

    private void granted(Incarnation incarnation, long term, long token, long millis) {
        terms.eventReceived(incarnation, new Entry(1, at(millis), "orders", Type.GRANTED, term, token, ""));
    }

    private void revoked(Incarnation incarnation, long term, long millis, String reason) {
        terms.eventReceived(incarnation, new Entry(2, at(millis), "orders", Type.REVOKED, term, 0, reason));
    }

    private void reportedAsLeader(Incarnation incarnation, long term, long token, long millis, long lease) {
        terms.infoReceived(
                incarnation,
                new ElectionInfo("orders", Role.LEADER, term, token, START, lease, 0, 0, Map.of(), null),
                at(millis));
    }

    private Term only() {
        assertThat(terms.all()).hasSize(1);
        return terms.all().get(0);
    }

    @Test
    void aTermLastsFromGrantToRevocation() {
        granted(FIRST, 1, 42, 100);
        assertThat(only().until()).isNull();
        revoked(FIRST, 1, 900, "STEPPED_DOWN");
        assertThat(only())
                .isEqualTo(new Term("orders", "shop-1", 42, at(100), null, at(900), "STEPPED_DOWN", "", false));
    }

    @Test
    void theCauseOfAHandOverIsThatOfTheLastTermThatWasHandedOver() {
        granted(FIRST, 1, 42, 0);
        revoked(FIRST, 1, 500, "HANDED_OVER");
        granted(FIRST, 2, 44, 600);
        revoked(FIRST, 2, 900, "HANDED_OVER");
        granted(FIRST, 3, 46, 1_000);
        terms.moved(FIRST, "orders", "on request");
        terms.moved(FIRST, "billing", "to spread the elections");
        assertThat(terms.all()).extracting(Term::cause).containsExactly("", "on request", "");
    }

    @Test
    void theTermOfAKilledProcessEndsWithTheProcess() {
        granted(FIRST, 1, 42, 0);
        reportedAsLeader(FIRST, 1, 42, 1_000, 1_300);
        terms.processExited("shop-1", at(1_200));
        assertThat(only().until()).isEqualTo(at(1_200));
    }

    @Test
    void statusFromBeforeTheExitOfAProcessCountsEvenIfItArrivesLater() {
        granted(FIRST, 1, 42, 0);
        reportedAsLeader(FIRST, 1, 42, 1_000, 1_300);
        terms.processExited("shop-1", at(1_200));
        reportedAsLeader(FIRST, 1, 42, 1_050, 1_250);
        assertThat(only().until()).isEqualTo(at(1_200));
        revoked(FIRST, 1, 1_100, "SHUTDOWN");
        assertThat(only().until()).isEqualTo(at(1_100));
        assertThat(only().end()).isEqualTo("SHUTDOWN");
    }

    @Test
    void theTermOfAReplicaThatDoesNotRespondEndsWithItsLease() {
        granted(FIRST, 1, 42, 0);
        reportedAsLeader(FIRST, 1, 42, 1_000, 1_300);
        terms.notResponding("shop-1", at(2_200));
        assertThat(only().until()).isNull();
        terms.notResponding("shop-1", at(2_400));
        assertThat(only().until()).isEqualTo(at(2_300));
    }

    @Test
    void aLateRevocationOfAPausedReplicaDoesNotExtendTheTermPastItsLease() {
        granted(FIRST, 1, 42, 0);
        reportedAsLeader(FIRST, 1, 42, 1_000, 1_300);
        terms.notResponding("shop-1", at(2_400));
        revoked(FIRST, 1, 9_000, "SESSION_EXPIRED");
        assertThat(only().until()).isEqualTo(at(2_300));
        assertThat(only().end()).isEqualTo("SESSION_EXPIRED");
    }

    @Test
    void theTermContinuesIfTheReplicaRespondsAgainAndStillLeads() {
        granted(FIRST, 1, 42, 0);
        reportedAsLeader(FIRST, 1, 42, 1_000, 1_300);
        terms.notResponding("shop-1", at(2_400));
        reportedAsLeader(FIRST, 1, 42, 3_000, 1_000);
        assertThat(only().until()).isNull();
    }

    @Test
    void twoTermsWithTheSameFencingTokenAreTrackedSeparately() {
        granted(FIRST, 1, 42, 0);
        revoked(FIRST, 1, 1_000, "CONNECTION_LOST");
        granted(FIRST, 2, 42, 2_000);
        assertThat(terms.all()).extracting(Term::until).containsExactly(at(1_000), null);
    }

    @Test
    void consecutiveTermsDoNotOverlap() {
        granted(FIRST, 1, 42, 0);
        revoked(FIRST, 1, 1_000, "STEPPED_DOWN");
        granted(SECOND, 1, 43, 1_000);
        assertThat(terms.overlaps()).isZero();
    }

    @Test
    void overlappingTermsAreCounted() {
        granted(FIRST, 1, 42, 0);
        revoked(FIRST, 1, 1_001, "STEPPED_DOWN");
        granted(SECOND, 1, 43, 1_000);
        assertThat(terms.overlaps()).isEqualTo(1);
    }

    @Test
    void twoOpenTermsOverlap() {
        granted(FIRST, 1, 42, 0);
        granted(SECOND, 1, 43, 1_000);
        assertThat(terms.overlaps()).isEqualTo(1);
    }

    @Test
    void termsOfDifferentElectionsMayOverlap() {
        granted(FIRST, 1, 42, 0);
        terms.eventReceived(SECOND, new Entry(1, at(0), "billing", Type.GRANTED, 1, 43, ""));
        assertThat(terms.overlaps()).isZero();
    }
}
