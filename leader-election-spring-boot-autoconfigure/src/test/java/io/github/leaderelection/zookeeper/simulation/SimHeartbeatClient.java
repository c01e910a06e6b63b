package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.function.Consumer;
import org.apache.zookeeper.data.Stat;

/** A client that knows which node is its own heartbeat. Mutations change what it does with it. */
class SimHeartbeatClient implements AsyncClient {

    private final AsyncClient client;
    private String path = "";
    private Stat created = new Stat();

    SimHeartbeatClient(AsyncClient client) {
        this.client = client;
    }

    /** The zxid that created the heartbeat. */
    final long czxid() {
        return created.getCzxid();
    }

    final long session() {
        return created.getEphemeralOwner();
    }

    @Override
    public final void send(Request request, Consumer<Reply> answer) {
        if (request instanceof Request.Create create && create.path().startsWith(Simulation.HEARTBEATS)) {
            path = create.path();
            client.send(request, noting(answer));
        } else if (request instanceof Request.Exists && request.path().equals(path)) {
            client.send(request, noting(answer));
        } else if (request instanceof Request.Set set && set.path().equals(path)) {
            beat(set, answer);
        } else if (request instanceof Request.Multi multi && rewrites(multi)) {
            transact(multi, answer);
        } else {
            client.send(request, answer);
        }
    }

    private Consumer<Reply> noting(Consumer<Reply> answer) {
        return reply -> {
            created = reply.ok() ? reply.stat() : created;
            answer.accept(reply);
        };
    }

    private boolean rewrites(Request.Multi multi) {
        return multi.parts().stream()
                .anyMatch(part -> part instanceof Request.Set && part.path().equals(path));
    }

    /** Rewrites the heartbeat. */
    void beat(Request.Set heartbeat, Consumer<Reply> answer) {
        client.send(heartbeat, answer);
    }

    /** A transaction that rewrites the heartbeat, too. */
    void transact(Request.Multi transaction, Consumer<Reply> answer) {
        client.send(transaction, answer);
    }

    @Override
    public boolean keepsWatches() {
        return client.keepsWatches();
    }
}
