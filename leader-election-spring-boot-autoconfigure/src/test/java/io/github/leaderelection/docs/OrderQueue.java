package io.github.leaderelection.docs;

import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/** Stands for a message broker. */
@Component
class OrderQueue {

    private volatile Consumer<String> subscriber;

    void subscribe(Consumer<String> subscriber) {
        this.subscriber = subscriber;
    }

    void unsubscribe() {
        subscriber = null;
    }

    boolean isSubscribed() {
        return subscriber != null;
    }
}
