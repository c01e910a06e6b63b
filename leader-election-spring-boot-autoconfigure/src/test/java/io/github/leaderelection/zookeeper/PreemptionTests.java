package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.HandOver.Outcome;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.Participant;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Leadership that moves to a candidate of a higher priority, on a real server. */
class PreemptionTests extends ElectionTestSupport {

    private static final Duration WAIT = Duration.ofMillis(700);

    private Participant.Builder member(String id, int priority) {
        return participant(id)
                .session(Duration.ofSeconds(20))
                .lease(Duration.ofSeconds(2))
                .options(options -> options.priority(priority).preemptAfter(WAIT));
    }

    @Test
    @DisplayName("A leader hands over to a higher priority that has been there for long enough")
    void handsOverToAHigherPriority() throws Exception {
        Participant low = member("low", 1).nominate();
        Leadership first = low.awaitLeading();
        member("same", 1).nominate().awaitFollowing();
        long joined = System.nanoTime();
        Participant high = member("high", 5).nominate();

        Leadership second = high.awaitLeading();

        assertThat(Duration.ofNanos(System.nanoTime() - joined)).isGreaterThanOrEqualTo(WAIT);
        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
        low.awaitEvents("granted 1", "revoked 1 HANDED_OVER");
        low.awaitFollowing();
        awaitLine("Election 'orders': leadership moved from low to high (priority)");
    }

    @Test
    @DisplayName("Work drains before the leadership moves to a higher priority")
    void workDrainsFirst() throws Exception {
        Participant low = member("low", 1).nominate();
        low.awaitLeading();
        var working = new CountDownLatch(1);
        var done = new CountDownLatch(1);
        inBackground(() -> low.election().runIfLeader(term -> {
            working.countDown();
            try {
                done.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        working.await();
        Participant high = member("high", 5).nominate();

        eventually().until(() -> !low.election().isLeader());
        assertThat(high.election().isLeader()).isFalse();
        done.countDown();
        high.awaitLeading();
    }

    @Test
    @DisplayName("A leader is not replaced because of a priority if that is not configured")
    void nothingHappensByDefault() throws Exception {
        Participant low =
                participant("low").options(options -> options.priority(1)).nominate();
        low.awaitLeading();
        Participant high = member("high", 5).nominate().awaitFollowing();

        eventually().during(WAIT.multipliedBy(2)).until(() -> low.election().isLeader());
        assertThat(high.events()).isEmpty();
    }

    @Test
    @DisplayName("A candidate that has waited for long enough does not begin to wait again under another term")
    void theTimeInTheQueueCounts() throws Exception {
        Duration wait = Duration.ofSeconds(5);
        Participant low =
                member("low", 1).options(options -> options.preemptAfter(wait)).nominate();
        low.awaitLeading();
        Participant high = member("high", 5).nominate().awaitFollowing();
        long following = System.nanoTime();
        low.proxy().blackHole();
        high.proxy().blackHole();
        eventually().until(() -> System.nanoTime() - following > wait.toNanos());
        assertThat(low.events()).hasSize(2);
        low.proxy().open();
        eventually().until(() -> low.events().contains("granted 2"));
        long again = System.nanoTime();
        high.proxy().open();

        high.awaitLeading();

        assertThat(Duration.ofNanos(System.nanoTime() - again)).isLessThan(wait);
        awaitLine("Election 'orders': leadership moved from low to high (priority)");
    }

    @Test
    @DisplayName("R39 a term that was requested is left alone, and the next one is not")
    void aRequestedTermIsLeftAlone() throws Exception {
        Participant high = member("high", 5).nominate();
        high.awaitLeading();
        Participant low = member("low", 1).nominate().awaitFollowing();

        assertThat(high.election().handOver("low").outcome()).isEqualTo(Outcome.DONE);
        low.awaitLeading();
        high.awaitFollowing();
        eventually().during(WAIT.multipliedBy(3)).until(() -> low.election().isLeader());
        awaitLine("Election 'orders': leadership moved from high to low (requested)");

        low.election().stepDown();
        high.awaitLeading();
    }

    /** The new leader may lead before the old one has logged the move. */
    private void awaitLine(String line) {
        eventually().untilAsserted(() -> assertThat(log.lines()).contains(line));
    }
}
