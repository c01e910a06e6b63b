package io.github.leaderelection.docs;

import io.github.leaderelection.Election;
import io.github.leaderelection.Leadership;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

@Component
class Restock {

    private final Election orders;

    Restock(@Qualifier("orders") Election orders) {
        this.orders = orders;
    }

    boolean restock() {
        return orders.runIfLeader(term -> {
            for (String item : missingItems()) {
                term.requireValid();
                reorder(item, term);
            }
        });
    }

    private Iterable<String> missingItems() {
        return List.of("tea");
    }

    private void reorder(String item, Leadership term) {}
}
