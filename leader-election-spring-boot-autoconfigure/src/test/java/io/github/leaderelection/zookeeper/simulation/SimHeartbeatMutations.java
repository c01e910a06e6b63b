package io.github.leaderelection.zookeeper.simulation;

import static io.github.leaderelection.zookeeper.simulation.SimProtocols.withCzxid;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** The rules of the heartbeat on which a take-over rests, and of sessions that follow each other, each removed on its own. */
final class SimHeartbeatMutations {

    private SimHeartbeatMutations() {}

    private static SimMutation heartbeats(BiFunction<AsyncClient, SimHost, AsyncClient> change) {
        return new SimMutation() {
            @Override
            public AsyncClient client(AsyncClient client, SimHost host) {
                return change.apply(client, host);
            }
        };
    }

    /** R36: A heartbeat that was deleted is never created again under its name; here it is. */
    static SimMutation heartbeatCreatedAgain() {
        return heartbeats((client, host) -> new SimHeartbeatClient(client) {
            @Override
            void beat(Request.Set heartbeat, Consumer<Reply> answer) {
                client.send(heartbeat, reply -> {
                    if (reply.noNode()) {
                        client.send(
                                new Request.Create(heartbeat.path(), heartbeat.data(), CreateMode.EPHEMERAL),
                                created -> {});
                        client.send(heartbeat, taken(answer));
                    } else {
                        taken(answer).accept(reply);
                    }
                });
            }

            @Override
            void transact(Request.Multi transaction, Consumer<Reply> answer) {
                client.send(transaction, taken(answer));
            }

            private Consumer<Reply> taken(Consumer<Reply> answer) {
                return reply -> {
                    boolean own = reply.ok() && reply.stat().getEphemeralOwner() == session();
                    answer.accept(own ? withCzxid(reply, czxid()) : reply);
                };
            }
        });
    }

    /** Heartbeats end with the lease until an answer comes, so that an heir can take over; here they go on. */
    static SimMutation beatsWithoutAnswers() {
        return heartbeats((client, host) -> new SimHeartbeatClient(client) {
            @Override
            void beat(Request.Set heartbeat, Consumer<Reply> answer) {
                boolean[] answered = new boolean[1];
                Consumer<Reply> once = reply -> {
                    if (!answered[0]) {
                        answered[0] = true;
                        answer.accept(reply);
                    }
                };
                client.send(heartbeat, once);
                host.later(200 * SimScheduler.MILLIS, () -> host.post(() -> once.accept(Reply.of(Code.SYSTEMERROR))));
            }
        });
    }

    /** R41: The nodes of a former session are deleted on the next one; here they stay until that session expires. */
    static SimMutation leavesNodesBehind() {
        return heartbeats((client, host) -> new AsyncClient() {
            @Override
            public void send(Request request, Consumer<Reply> answer) {
                if (request instanceof Request.Delete && host.isFormer(request.path())) {
                    host.post(() -> answer.accept(Reply.of(Code.NONODE)));
                } else {
                    client.send(request, answer);
                }
            }

            @Override
            public boolean keepsWatches() {
                return client.keepsWatches();
            }
        });
    }
}
