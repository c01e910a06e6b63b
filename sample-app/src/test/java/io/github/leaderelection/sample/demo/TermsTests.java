package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Role;
import io.github.leaderelection.sample.demo.Story.Narrator;
import io.github.leaderelection.sample.demo.Terms.Term;
import io.github.leaderelection.sample.shop.ElectionLog.Entry;
import io.github.leaderelection.sample.shop.ElectionLog.Type;
import io.github.leaderelection.sample.shop.ShopStatus.Standing;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TermsTests {

    private static final Instant START = Instant.parse("2026-11-16T12:00:00Z");
    private static final Narrator FIRST = new Narrator("shop-1", START);
    private static final Narrator SECOND = new Narrator("shop-2", START);

    private final Terms terms = new Terms();

    private static Instant at(long millis) {
        return START.plusMillis(millis);
    }

    private void granted(Narrator who, long term, long token, long millis) {
        terms.heard(who, new Entry(1, at(millis), "orders", Type.GRANTED, term, token, ""));
    }

    private void revoked(Narrator who, long term, long millis, String reason) {
        terms.heard(who, new Entry(2, at(millis), "orders", Type.REVOKED, term, 0, reason));
    }

    private void seenLeading(Narrator who, long term, long token, long millis, long lease) {
        terms.seen(who, new Standing("orders", Role.LEADER, term, token, START, lease, 0, 0, null), at(millis));
    }

    private Term only() {
        assertThat(terms.all()).hasSize(1);
        return terms.all().get(0);
    }

    @Test
    void aTermLastsFromItsGrantToItsRevocation() {
        granted(FIRST, 1, 42, 100);
        assertThat(only().until()).isNull();
        revoked(FIRST, 1, 900, "STEPPED_DOWN");
        assertThat(only()).isEqualTo(new Term("orders", "shop-1", 42, at(100), null, at(900), "STEPPED_DOWN", false));
    }

    @Test
    void theTermOfAKilledProcessEndsWithIt() {
        granted(FIRST, 1, 42, 0);
        seenLeading(FIRST, 1, 42, 1_000, 1_300);
        terms.processEnded("shop-1", at(1_200));
        assertThat(only().until()).isEqualTo(at(1_200));
    }

    @Test
    void whatAProcessSaidBeforeItEndedCountsEvenIfItIsHeardLater() {
        granted(FIRST, 1, 42, 0);
        seenLeading(FIRST, 1, 42, 1_000, 1_300);
        terms.processEnded("shop-1", at(1_200));
        seenLeading(FIRST, 1, 42, 1_050, 1_250);
        assertThat(only().until()).isEqualTo(at(1_200));
        revoked(FIRST, 1, 1_100, "SHUTDOWN");
        assertThat(only().until()).isEqualTo(at(1_100));
        assertThat(only().end()).isEqualTo("SHUTDOWN");
    }

    @Test
    void theTermOfAReplicaThatIsNotHeardFromEndsWithItsLease() {
        granted(FIRST, 1, 42, 0);
        seenLeading(FIRST, 1, 42, 1_000, 1_300);
        terms.notHeardFrom("shop-1", at(2_200));
        assertThat(only().until()).isNull();
        terms.notHeardFrom("shop-1", at(2_400));
        assertThat(only().until()).isEqualTo(at(2_300));
    }

    @Test
    void aReplicaThatWasPausedTellsItsRevocationLateAndItsLeaseHadEndedBefore() {
        granted(FIRST, 1, 42, 0);
        seenLeading(FIRST, 1, 42, 1_000, 1_300);
        terms.notHeardFrom("shop-1", at(2_400));
        revoked(FIRST, 1, 9_000, "SESSION_EXPIRED");
        assertThat(only().until()).isEqualTo(at(2_300));
        assertThat(only().end()).isEqualTo("SESSION_EXPIRED");
    }

    @Test
    void aReplicaThatIsHeardFromAgainAndStillLeadsHasNotLostItsTerm() {
        granted(FIRST, 1, 42, 0);
        seenLeading(FIRST, 1, 42, 1_000, 1_300);
        terms.notHeardFrom("shop-1", at(2_400));
        seenLeading(FIRST, 1, 42, 3_000, 1_000);
        assertThat(only().until()).isNull();
    }

    @Test
    void aSecondTermOnTheSameNodeIsAnotherTerm() {
        granted(FIRST, 1, 42, 0);
        revoked(FIRST, 1, 1_000, "CONNECTION_LOST");
        granted(FIRST, 2, 42, 2_000);
        assertThat(terms.all()).extracting(Term::until).containsExactly(at(1_000), null);
    }

    @Test
    void termsThatFollowEachOtherDoNotOverlap() {
        granted(FIRST, 1, 42, 0);
        revoked(FIRST, 1, 1_000, "STEPPED_DOWN");
        granted(SECOND, 1, 43, 1_000);
        assertThat(terms.overlaps()).isZero();
    }

    @Test
    void termsThatOverlapAreCounted() {
        granted(FIRST, 1, 42, 0);
        revoked(FIRST, 1, 1_001, "STEPPED_DOWN");
        granted(SECOND, 1, 43, 1_000);
        assertThat(terms.overlaps()).isEqualTo(1);
    }

    @Test
    void twoTermsThatBothLastOverlap() {
        granted(FIRST, 1, 42, 0);
        granted(SECOND, 1, 43, 1_000);
        assertThat(terms.overlaps()).isEqualTo(1);
    }

    @Test
    void termsOfDifferentElectionsMayOverlap() {
        granted(FIRST, 1, 42, 0);
        terms.heard(SECOND, new Entry(1, at(0), "billing", Type.GRANTED, 1, 43, ""));
        assertThat(terms.overlaps()).isZero();
    }
}
