package io.github.leaderelection.docs;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.WhileLeader;
import java.util.concurrent.BlockingQueue;
import org.springframework.stereotype.Component;

@Component
class PriceFeed {

    private final BlockingQueue<String> prices;
    private final PriceBoard board;

    PriceFeed(BlockingQueue<String> prices, PriceBoard board) {
        this.prices = prices;
        this.board = board;
    }

    @WhileLeader("prices")
    void publish(Leadership term) throws InterruptedException {
        while (term.isValid()) {
            board.show(prices.take(), term.fencingToken());
        }
    }

    /** What the loop writes to. */
    interface PriceBoard {
        void show(String price, long fencingToken);
    }
}
