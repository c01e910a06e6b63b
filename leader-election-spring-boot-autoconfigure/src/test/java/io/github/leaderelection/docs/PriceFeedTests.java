package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.event.OnGrantedEvent;
import io.github.leaderelection.event.OnRevokedEvent;
import io.github.leaderelection.test.TestElection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class PriceFeedTests {

    @Test
    void publishesAsLongAsTheTermLasts() throws InterruptedException {
        BlockingQueue<String> prices = new LinkedBlockingQueue<>();
        List<String> board = new CopyOnWriteArrayList<>();
        PriceFeed feed = new PriceFeed(prices, (price, token) -> board.add(price));
        TestElection election = new TestElection("prices");
        Leadership term = election.grant();

        feed.start(new OnGrantedEvent(election, term));
        prices.add("1.10");
        await().until(() -> board.equals(List.of("1.10")));

        election.revoke(RevocationReason.CONNECTION_LOST);
        feed.stop(new OnRevokedEvent(election, term, RevocationReason.CONNECTION_LOST));
        prices.add("1.20");
        assertThat(board).containsExactly("1.10");
        assertThat(prices).containsExactly("1.20");
    }
}
