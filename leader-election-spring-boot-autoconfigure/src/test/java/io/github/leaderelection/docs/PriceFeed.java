package io.github.leaderelection.docs;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.event.OnGrantedEvent;
import io.github.leaderelection.event.OnRevokedEvent;
import java.util.concurrent.BlockingQueue;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class PriceFeed {

    private final BlockingQueue<String> prices;
    private final PriceBoard board;
    private volatile Thread loop;

    PriceFeed(BlockingQueue<String> prices, PriceBoard board) {
        this.prices = prices;
        this.board = board;
    }

    @EventListener(condition = "#event.election.name() == 'prices'")
    void start(OnGrantedEvent event) {
        Leadership term = event.getLeadership();
        loop = new Thread(() -> publish(term), "price-feed");
        loop.start();
    }

    @EventListener(condition = "#event.election.name() == 'prices'")
    void stop(OnRevokedEvent event) throws InterruptedException {
        loop.interrupt();
        loop.join();
    }

    private void publish(Leadership term) {
        try {
            while (term.isValid()) {
                board.show(prices.take(), term.fencingToken());
            }
        } catch (InterruptedException revoked) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the loop writes to. */
    interface PriceBoard {
        void show(String price, long fencingToken);
    }
}
