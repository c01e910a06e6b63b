package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** A client, timers and a clock that a test moves by hand. */
final class ManualConnection implements AsyncClient, Timers, Clock {

    private record Sent(Request request, Consumer<Reply> answer) {}

    private record Timer(long at, Runnable task) {}

    private final Deque<Sent> unanswered = new ArrayDeque<>();
    private final List<Request> requests = new ArrayList<>();
    private List<Timer> timers = new ArrayList<>();
    private long now = 1_000_000_000_000L;

    @Override
    public void send(Request request, Consumer<Reply> answer) {
        requests.add(request);
        unanswered.add(new Sent(request, answer));
    }

    @Override
    public void at(long nanos, Runnable task) {
        timers.add(new Timer(nanos, task));
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public long millis() {
        return now / 1_000_000;
    }

    /** Answers all requests, including those that are sent in response to an answer. */
    void answerAll(Function<Request, Reply> answers) {
        for (Sent sent = unanswered.poll(); sent != null; sent = unanswered.poll()) {
            sent.answer().accept(answers.apply(sent.request()));
        }
    }

    /** Drops all requests: they are never answered. */
    void loseAll() {
        unanswered.clear();
    }

    /** Advances the clock and runs the timers that are due. */
    void pass(long millis) {
        now += millis * 1_000_000;
        List<Timer> waiting = timers;
        timers = new ArrayList<>();
        for (Timer timer : waiting) {
            if (timer.at() - now <= 0) {
                timer.task().run();
            } else {
                timers.add(timer);
            }
        }
    }

    /** The requests since the last call. */
    List<Request> sent() {
        List<Request> sent = List.copyOf(requests);
        requests.clear();
        return sent;
    }
}
