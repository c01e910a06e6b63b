package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.support.Electorate;
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
import org.jspecify.annotations.Nullable;

/** Reads the leader and the candidates of an election, whether or not this process takes part in it. */
public record CandidateReader(AsyncClient client, String path) {

    record Entry(String node, long czxid, Candidate candidate) {}

    /**
     * An election as it was read.
     *
     * @param record null if it is missing or unreadable
     * @param entries by age
     */
    record Reading(@Nullable LeaderRecord record, List<Entry> entries) {

        Optional<Entry> holder() {
            return record != null && record.state() == LeaderRecord.State.HELD
                    ? entry(record.holder())
                    : Optional.empty();
        }

        Optional<Entry> entry(String node) {
            return entries.stream().filter(entry -> entry.node().equals(node)).findFirst();
        }
    }

    public CompletableFuture<Optional<Candidate>> leader() {
        var result = new CompletableFuture<Optional<Candidate>>();
        get(LeaderRecord.NODE, result, found -> {
            LeaderRecord record = LeaderRecord.parse(found.data()).orElse(null);
            NodeName holder = record != null && record.state() == LeaderRecord.State.HELD
                    ? NodeName.parse(record.holder()).orElse(null)
                    : null;
            if (holder == null) {
                result.complete(Optional.empty());
            } else {
                get(
                        holder.name(),
                        result,
                        reply -> result.complete(entry(holder, reply).map(Entry::candidate)));
            }
        });
        return result;
    }

    /** The leader first, then by age. */
    public CompletableFuture<Electorate> electorate() {
        return read().thenApply(reading -> {
            Optional<Entry> holder = reading.holder();
            List<Candidate> candidates = new ArrayList<>();
            holder.map(Entry::candidate).ifPresent(candidates::add);
            reading.entries().stream()
                    .filter(entry -> !holder.equals(Optional.of(entry)))
                    .forEach(entry -> candidates.add(entry.candidate()));
            Optional<Candidate> heir = holder.isPresent() && reading.record() != null
                    ? reading.entry(reading.record().heir()).map(Entry::candidate)
                    : Optional.empty();
            return new Electorate(holder.map(Entry::candidate), List.copyOf(candidates), heir);
        });
    }

    CompletableFuture<Reading> read() {
        var result = new CompletableFuture<Reading>();
        send(new Request.Children(path, false), result, listed -> {
            CandidateQueue queue = CandidateQueue.of(listed.children(), 0);
            List<Entry> entries = new ArrayList<>();
            for (NodeName node : queue.nodes()) {
                get(node.name(), result, reply -> entry(node, reply).ifPresent(entries::add));
            }
            // Its reply arrives after all of the above.
            get(LeaderRecord.NODE, result, last -> {
                if (!queue.ordered()) {
                    entries.sort(Comparator.comparingLong(Entry::czxid));
                }
                LeaderRecord record = LeaderRecord.parse(last.data()).orElse(null);
                result.complete(new Reading(record, List.copyOf(entries)));
            });
        });
        return result;
    }

    /** Empty if the node no longer exists. */
    private static Optional<Entry> entry(NodeName node, Reply reply) {
        Candidate candidate = CandidateData.candidate(node, reply.data(), reply.stat());
        var entry = new Entry(node.name(), reply.stat().getCzxid(), candidate);
        return reply.ok() ? Optional.of(entry) : Optional.empty();
    }

    private void get(String node, CompletableFuture<?> result, Consumer<Reply> onReply) {
        send(new Request.Get(Paths.child(path, node), false), result, onReply);
    }

    /** A missing node is a valid reply; any other failure completes the result. */
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
