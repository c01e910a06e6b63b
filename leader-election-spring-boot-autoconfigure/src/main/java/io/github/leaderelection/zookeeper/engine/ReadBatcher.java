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
import java.util.function.Consumer;

/**
 * Combines reads into packets. Reads that are not urgent share a packet with those of other elections, so that a few
 * packets verify a thousand elections. Confined to the loop.
 */
final class ReadBatcher {

    interface Reader {

        void handle(Event event);

        /** The number of nodes when they were last listed; 0 before that. */
        int queueLength();
    }

    /** In node names: enough to save packets, but few enough that a reply does not delay others. */
    private static final int MOST_NAMES = 1_000;

    /** A generous size of a name with the server's overhead: an oversized reply would break the connection. */
    private static final int BYTES_PER_NAME = 200;

    /** The size of an election's record, in names. */
    private static final int RECORD = 5;

    private record Share(Reader reader, List<Command.Send> reads) {}

    private final AsyncClient client;
    private final Executor loop;
    private final Queue<Share> waiting = new ArrayDeque<>();

    /** @param loop runs a task after the current one */
    ReadBatcher(AsyncClient client, Executor loop) {
        this.client = client;
        this.loop = loop;
    }

    /** Sends these reads in a packet of their own, now. */
    void sendAlone(Reader reader, List<Command.Send> reads) {
        send(List.of(new Share(reader, reads)));
    }

    /** Sends these reads after the current task, along with those that others add until then. */
    void add(Reader reader, List<Command.Send> reads) {
        waiting.add(new Share(reader, reads));
        if (waiting.size() == 1) {
            loop.execute(this::sendAll);
        }
    }

    private void sendAll() {
        int mostNames = Math.min(MOST_NAMES, client.longestReply() / BYTES_PER_NAME);
        List<Share> packet = new ArrayList<>();
        int names = 0;
        for (Share next = waiting.poll(); next != null; next = waiting.poll()) {
            // A queue that was never listed may have any length, so it goes alone.
            int length = next.reader().queueLength();
            int more = length > 0 ? length + RECORD : mostNames;
            if (names > 0 && names + more > mostNames) {
                send(packet);
                packet = new ArrayList<>();
                names = 0;
            }
            packet.add(next);
            names += more;
        }
        send(packet);
    }

    private void send(List<Share> packet) {
        List<Request> requests = new ArrayList<>();
        for (Share share : packet) {
            for (Command.Send read : share.reads()) {
                requests.add(read.request());
            }
        }
        client.send(new Request.Reads(requests), new Packet(packet));
    }

    private record Packet(List<Share> shares) implements Consumer<Reply> {
        @Override
        public void accept(Reply reply) {
            int part = 0;
            for (Share share : shares) {
                for (Command.Send read : share.reads()) {
                    share.reader().handle(new Event.Replied(read, reply.part(part++)));
                }
            }
        }
    }
}
