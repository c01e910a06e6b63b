package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.function.Consumer;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * A task besides the elections that uses their connection. Replies may be lost with a connection: the next connection
 * starts another attempt, and late results of an earlier attempt are ignored. Confined to the loop.
 */
abstract class ConnectionTask {

    final Engine engine;
    private int attempt;

    ConnectionTask(Engine engine) {
        this.engine = engine;
    }

    final void connected() {
        attempt++;
        start();
    }

    abstract void start();

    abstract void changed(String path, EventType type);

    /** The elections of the connection were closed, so there will be no more replies. */
    void closed(ElectionClosedException cause) {}

    /** Whether it needs no more events. */
    abstract boolean isOver();

    /** Sends a request, and passes the reply on unless it is lost. */
    final void send(Request request, Consumer<Reply> onReply) {
        engine.client.send(request, inThisAttempt(reply -> {
            if (!reply.ambiguous()) {
                onReply.accept(reply);
            }
        }));
    }

    final void after(long nanos, Runnable task) {
        Consumer<Runnable> runner = inThisAttempt(Runnable::run);
        engine.after(nanos, () -> runner.accept(task));
    }

    final <T> Consumer<T> inThisAttempt(Consumer<T> action) {
        int begun = attempt;
        return value -> {
            if (begun == attempt && !isOver()) {
                action.accept(value);
            }
        };
    }
}
