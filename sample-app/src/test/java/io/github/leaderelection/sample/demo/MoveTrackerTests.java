package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Role;
import io.github.leaderelection.sample.demo.History.Incarnation;
import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MoveTrackerTests {

    private static final Incarnation FIRST = new Incarnation("shop-1", Instant.EPOCH);
    private static final Incarnation RESTARTED = new Incarnation("shop-1", Instant.EPOCH.plusSeconds(9));

    private final MoveTracker moves = new MoveTracker();

    private Optional<String> counted(Incarnation incarnation, String election, long requested, long spread) {
        return moves.infoReceived(
                incarnation,
                new ElectionInfo(
                        election,
                        Role.FOLLOWER,
                        null,
                        null,
                        null,
                        0,
                        0,
                        0,
                        Map.of("requested", requested, "priority", 0L, "spread", spread),
                        null));
    }

    @Test
    void aCountThatHasGrownSaysWhy() {
        assertThat(counted(FIRST, "orders", 0, 0)).isEmpty();
        assertThat(counted(FIRST, "orders", 0, 1)).contains("to spread the elections");
        assertThat(counted(FIRST, "orders", 0, 1)).isEmpty();
        assertThat(counted(FIRST, "orders", 1, 1)).contains("on request");
    }

    @Test
    void whatWasCountedBeforeTheDemoHasStartedIsNotNew() {
        assertThat(counted(FIRST, "orders", 5, 7)).isEmpty();
        assertThat(counted(FIRST, "billing", 2, 0)).isEmpty();
    }

    @Test
    void theCountsOfAnotherProcessBeginAtZero() {
        counted(FIRST, "orders", 0, 3);
        assertThat(counted(RESTARTED, "orders", 0, 0)).isEmpty();
        assertThat(counted(RESTARTED, "orders", 0, 1)).contains("to spread the elections");
    }
}
