package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.data.Stat;

/** Engines on a {@link ManualConnection}: without a server, and without waiting. */
final class EngineFixture {

    /** Every request succeeds. */
    static final Function<Request, Reply> FINE = request -> request instanceof Request.Create create
            ? Reply.created(create.path(), new Stat())
            : Reply.stat(new Stat());

    private EngineFixture() {}

    static Engine engine(StateMachine protocol, ManualConnection connection) {
        return new Engine(
                protocol,
                connection,
                new Loop(),
                connection,
                connection,
                new EngineConfig("/elections", null, null, 3_600_000, RequestThrottle.MOST_UNDER_WAY, null),
                guids(),
                new ConnectionListener() {});
    }

    /** A name for each session. */
    private static Supplier<String> guids() {
        var sessions = new AtomicInteger();
        return () -> sessions.incrementAndGet() == 1 ? "guid" : "guid" + sessions;
    }

    static ElectionState.Config config(String name) {
        return new ElectionState.Config(name, "/elections/" + name, true, () -> "id", Map.of(), 0, null, "");
    }
}
