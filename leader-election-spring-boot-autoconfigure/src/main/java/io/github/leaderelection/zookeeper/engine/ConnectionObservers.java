package io.github.leaderelection.zookeeper.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Those who want to hear of a connection, until they are done with it. */
final class ConnectionObservers {

    private final List<ConnectionObserver> all = new ArrayList<>();

    void add(ConnectionObserver observer) {
        all.add(observer);
    }

    void clear() {
        all.clear();
    }

    /** Those of a copy: an observer that hears of something may add others. */
    void tell(Consumer<ConnectionObserver> news) {
        all.removeIf(ConnectionObserver::isOver);
        List.copyOf(all).forEach(news);
    }
}
