package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/**
 * Reads that go together in one packet. Those that are in no hurry go with those of other elections, so that a few packets
 * verify a thousand of them. Confined to the loop.
 */
public final class ReadBatcher {

    /** In names of candidates: far from what a client takes as one answer. A longer one would break the connection. */
    private static final int LONGEST = 1_000;
    /** What else is told of an election, as if it were names. */
    private static final int RECORD = 5;

    /** What one election reads. */
    private record Share(HostedElection hosted, List<Command.Send> reads) {}

    private final AsyncClient client;
    private final Executor steps;
    private final BiConsumer<HostedElection, Event> step;
    private final Queue<Share> waiting = new ArrayDeque<>();
    private int longest = LONGEST;
    private int longestLost;
    private boolean lostBefore;

    /**
     * @param steps runs what it is given after the present step
     * @param step takes an answer to its election
     */
    ReadBatcher(AsyncClient client, Executor steps, BiConsumer<HostedElection, Event> step) {
        this.client = client;
        this.steps = steps;
        this.step = step;
    }

    /** Sends these reads after the present step, along with those that others add during it. */
    void add(HostedElection hosted, List<Command.Send> reads) {
        waiting.add(new Share(hosted, reads));
        if (waiting.size() == 1) {
            steps.execute(this::sendAll);
        }
    }

    /** Sends these reads in a packet of their own, now. */
    void sendAlone(HostedElection hosted, List<Command.Send> reads) {
        send(List.of(new Share(hosted, reads)), 0);
    }

    void expired() {
        longest = LONGEST;
        longestLost = 0;
        lostBefore = false;
    }

    private void sendAll() {
        if (longestLost > 0) {
            if (lostBefore) {
                // Its length may be what breaks the connection: not again and again, at least not on this session.
                longest = Math.min(longest, longestLost / 2);
            }
            lostBefore = true;
            longestLost = 0;
        }
        List<Share> packet = new ArrayList<>();
        int length = 0;
        for (Share next = waiting.poll(); next != null; next = waiting.poll()) {
            int more = length(next.hosted());
            if (length > 0 && length + more > longest) {
                send(packet, length);
                packet = new ArrayList<>();
                length = 0;
            }
            packet.add(next);
            length += more;
        }
        send(packet, length);
    }

    /** A queue is about as long as it was the last time; before that anything can be expected, and it goes alone. */
    private int length(HostedElection hosted) {
        return hosted.queueLength() > 0 ? hosted.queueLength() + RECORD : longest + 1;
    }

    private void send(List<Share> packet, int length) {
        List<Request> requests = packet.stream()
                .flatMap(share -> share.reads().stream())
                .map(Command.Send::request)
                .toList();
        client.send(new Request.Reads(requests), reply -> {
            if (packet.size() > 1) {
                came(reply, length);
            }
            int part = 0;
            for (Share share : packet) {
                for (Command.Send read : share.reads()) {
                    step.accept(share.hosted(), new Event.Replied(read, reply.part(part++)));
                }
            }
        });
    }

    /** A packet of one election can't be made shorter, and says nothing about those that can. */
    private void came(Reply reply, int length) {
        if (reply.ambiguous()) {
            longestLost = Math.max(longestLost, length);
        } else {
            lostBefore = false;
        }
    }
}
