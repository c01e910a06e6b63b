package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads who takes part in an election; anybody may. */
final class Electorate {

    private final Wire wire;
    private final String path;

    Electorate(Wire wire, String path) {
        this.wire = wire;
        this.path = path;
    }

    CompletableFuture<Optional<Candidate>> leader() {
        var result = new CompletableFuture<Optional<Candidate>>();
        wire.send(new Request.Get(Paths.child(path, LeaderRecord.NODE), false), reply -> {
            if (failed(result, "read the leader of", reply)) {
                return;
            }
            Optional<NodeName> node = LeaderRecord.in(reply)
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
        wire.send(new Request.Get(Paths.child(path, node.name()), false), reply -> {
            if (!failed(result, "read the leader of", reply)) {
                result.complete(
                        reply.ok()
                                ? Optional.of(CandidateData.candidate(node, reply.data(), reply.stat()))
                                : Optional.empty());
            }
        });
    }

    CompletableFuture<List<Candidate>> candidates() {
        var result = new CompletableFuture<List<Candidate>>();
        wire.send(new Request.Children(path, false), listed -> {
            if (failed(result, "list the candidates of", listed)) {
                return;
            }
            List<NodeName> queue =
                    Listing.of(listed.children(), listed.stat(), 0).queue();
            if (queue.isEmpty()) {
                result.complete(List.of());
            } else {
                read(queue, result);
            }
        });
        return result;
    }

    private void read(List<NodeName> queue, CompletableFuture<List<Candidate>> result) {
        boolean overflown = queue.stream().anyMatch(NodeName::overflown);
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < queue.size(); i++) {
            NodeName node = queue.get(i);
            boolean last = i == queue.size() - 1;
            wire.send(new Request.Get(Paths.child(path, node.name()), false), reply -> {
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
        String message = "Cannot %s election %s: %s".formatted(what, path, Explain.code(reply.code()));
        result.completeExceptionally(
                reply.ambiguous() ? new ElectionConnectionException(message) : new ElectionException(message));
        return true;
    }
}
