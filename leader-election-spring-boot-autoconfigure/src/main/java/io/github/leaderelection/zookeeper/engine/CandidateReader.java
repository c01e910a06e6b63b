package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads who takes part in an election; anybody may. */
public final class CandidateReader {

    private final AsyncClient client;
    private final String path;

    public CandidateReader(AsyncClient client, String path) {
        this.client = client;
        this.path = path;
    }

    public CompletableFuture<Optional<Candidate>> leader() {
        var result = new CompletableFuture<Optional<Candidate>>();
        client.send(new Request.Get(Paths.child(path, LeaderRecord.NODE), false), reply -> {
            if (failed(result, "read the leader of", reply)) {
                return;
            }
            Optional<NodeName> node = reply.content()
                    .flatMap(LeaderRecord::parse)
                    .filter(record -> record.state() == LeaderRecord.State.HELD)
                    .flatMap(record -> NodeName.parse(record.holder()));
            if (node.isEmpty()) {
                result.complete(Optional.empty());
            } else {
                read(node.get(), result);
            }
        });
        return result;
    }

    private void read(NodeName node, CompletableFuture<Optional<Candidate>> result) {
        client.send(new Request.Get(Paths.child(path, node.name()), false), reply -> {
            if (!failed(result, "read the leader of", reply)) {
                result.complete(
                        reply.ok()
                                ? Optional.of(CandidateData.candidate(node, reply.data(), reply.stat()))
                                : Optional.empty());
            }
        });
    }

    public CompletableFuture<List<Candidate>> candidates() {
        var result = new CompletableFuture<List<Candidate>>();
        client.send(new Request.Children(path, false), listed -> {
            if (failed(result, "list the candidates of", listed)) {
                return;
            }
            List<NodeName> nodes =
                    CandidateQueue.of(listed.children(), listed.stat(), 0).nodes();
            if (nodes.isEmpty()) {
                result.complete(List.of());
            } else {
                read(nodes, result);
            }
        });
        return result;
    }

    private void read(List<NodeName> nodes, CompletableFuture<List<Candidate>> result) {
        boolean overflown = nodes.stream().anyMatch(NodeName::overflown);
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            NodeName node = nodes.get(i);
            boolean last = i == nodes.size() - 1;
            client.send(new Request.Get(Paths.child(path, node.name()), false), reply -> {
                if (failed(result, "read the candidates of", reply)) {
                    return;
                }
                if (reply.ok()) {
                    candidates.add(CandidateData.candidate(node, reply.data(), reply.stat()));
                }
                if (last) {
                    if (overflown) {
                        candidates.sort((a, b) -> Long.compare(a.fencingToken(), b.fencingToken()));
                    }
                    result.complete(List.copyOf(candidates));
                }
            });
        }
    }

    /** A node that is not there is an answer. */
    private boolean failed(CompletableFuture<?> result, String what, Reply reply) {
        if (reply.ok() || reply.noNode()) {
            return false;
        }
        String message = "Cannot %s election %s: %s".formatted(what, path, ErrorTexts.of(reply.code()));
        result.completeExceptionally(
                reply.ambiguous() ? new ElectionConnectionException(message) : new ElectionException(message));
        return true;
    }
}
