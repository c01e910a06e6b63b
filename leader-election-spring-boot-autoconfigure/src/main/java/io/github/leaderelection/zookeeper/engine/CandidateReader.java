package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Reads the leader and the candidates of an election, whether or not this process takes part in it. */
public record CandidateReader(AsyncClient client, String path) {

    public CompletableFuture<Optional<Candidate>> leader() {
        var result = new CompletableFuture<Optional<Candidate>>();
        get(LeaderRecord.NODE, result, found -> {
            LeaderRecord record = found.content().flatMap(LeaderRecord::parse).orElse(null);
            NodeName holder = record != null && record.state() == LeaderRecord.State.HELD
                    ? NodeName.parse(record.holder()).orElse(null)
                    : null;
            if (holder == null) {
                result.complete(Optional.empty());
            } else {
                get(holder.name(), result, reply -> result.complete(candidate(holder, reply)));
            }
        });
        return result;
    }

    public CompletableFuture<List<Candidate>> candidates() {
        var result = new CompletableFuture<List<Candidate>>();
        send(new Request.Children(path, false), result, listed -> {
            CandidateQueue queue = CandidateQueue.of(listed.children(), null, 0);
            List<Candidate> candidates = new ArrayList<>();
            for (NodeName node : queue.nodes()) {
                get(node.name(), result, reply -> candidate(node, reply).ifPresent(candidates::add));
            }
            // Its reply comes after all of these.
            send(new Request.Exists(path), result, last -> {
                if (!queue.ordered()) {
                    candidates.sort(Comparator.comparingLong(Candidate::fencingToken));
                }
                result.complete(List.copyOf(candidates));
            });
        });
        return result;
    }

    /** Empty if the node no longer exists. */
    private static Optional<Candidate> candidate(NodeName node, Reply reply) {
        return reply.ok() ? Optional.of(CandidateData.candidate(node, reply.data(), reply.stat())) : Optional.empty();
    }

    private void get(String node, CompletableFuture<?> result, Consumer<Reply> onReply) {
        send(new Request.Get(Paths.child(path, node), false), result, onReply);
    }

    /** A missing node is a reply too; anything else that goes wrong completes the result. */
    private void send(Request request, CompletableFuture<?> result, Consumer<Reply> onReply) {
        client.send(request, reply -> {
            if (reply.ok() || reply.noNode()) {
                onReply.accept(reply);
            } else {
                result.completeExceptionally(reply.failure("read " + request.path()));
            }
        });
    }
}
