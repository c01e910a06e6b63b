package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class ReadBatcherTests {

    private final ManualConnection connection = new ManualConnection();
    private final Loop loop = new Loop();
    private final List<String> replies = new ArrayList<>();
    private ReadBatcher batcher = new ReadBatcher(connection, loop);
    private int candidates = 3;

    @Test
    void electionsWhoseQueuesAreKnownShareAPacket() {
        List<Election> elections = elections(100);
        verify(elections);
        assertThat(packets()).as("the queues may have any length").hasSize(100);

        verify(elections);

        assertThat(packets()).containsExactly(200);
        assertThat(replies)
                .startsWith("e0 LIST OK 3", "e0 RECORD OK 0", "e1 LIST OK 3")
                .hasSize(400);
    }

    @Test
    void aPacketIsLimited() {
        candidates = 20;
        List<Election> elections = elections(100);
        verify(elections);
        packets();

        verify(elections);

        assertThat(packets()).containsExactly(80, 80, 40);
    }

    @Test
    void longQueuesGoAlone() {
        candidates = 600;
        List<Election> elections = elections(5);
        verify(elections);
        packets();

        verify(elections);

        assertThat(packets()).containsExactly(2, 2, 2, 2, 2);
    }

    @Test
    void aClientThatTakesOnlyShortRepliesIsNotAskedForLongOnes() {
        batcher = new ReadBatcher(shortReplies(4_000), loop);
        List<Election> elections = elections(4);
        verify(elections);
        packets();

        verify(elections);

        assertThat(packets()).as("20 names fit, and each election counts as 8").containsExactly(4, 4);
    }

    @Test
    void eachElectionGetsItsOwnRepliesEvenIfOneIsGone() {
        List<Election> elections = elections(3);
        verify(elections);
        replies.clear();

        ask(elections);
        connection.answerAll(request -> Reply.parts(((Request.Reads) request)
                .parts().stream()
                        .map(part -> part.path().startsWith("/elections/e1") ? Reply.of(Code.NONODE) : found(part))
                        .toList()));

        assertThat(replies)
                .containsExactly(
                        "e0 LIST OK 3",
                        "e0 RECORD OK 0",
                        "e1 LIST NONODE 0",
                        "e1 RECORD NONODE 0",
                        "e2 LIST OK 3",
                        "e2 RECORD OK 0");
    }

    @Test
    void aLostPacketIsLostForAllItsElections() {
        List<Election> elections = elections(2);
        verify(elections);
        replies.clear();

        ask(elections);
        connection.answerAll(request -> Reply.of(Code.CONNECTIONLOSS));

        assertThat(replies).hasSize(4).allMatch(reply -> reply.contains("CONNECTIONLOSS"));
    }

    @Test
    void anUrgentReadDoesNotWaitForOthers() {
        List<Election> elections = elections(2);
        verify(elections);
        packets();

        loop.execute(() -> {
            batcher.add(elections.get(0), elections.get(0).reads());
            batcher.sendAlone(elections.get(1), elections.get(1).reads());
        });

        assertThat(connection.sent().stream().map(Request::path))
                .containsExactly(elections.get(1).path, elections.get(0).path);
    }

    private void verify(List<Election> elections) {
        ask(elections);
        connection.answerAll(request -> Reply.parts(
                ((Request.Reads) request).parts().stream().map(this::found).toList()));
    }

    /** All in one task, as the engine does it. */
    private void ask(List<Election> elections) {
        loop.execute(() -> elections.forEach(election -> batcher.add(election, election.reads())));
    }

    private Reply found(Request request) {
        return request instanceof Request.Children
                ? Reply.children(Collections.nCopies(candidates, "c-abc-0000000001"))
                : Reply.data(Request.NO_DATA, new Stat());
    }

    /** The number of reads in each packet that was sent since the last call. */
    private List<Integer> packets() {
        return connection.sent().stream()
                .map(request -> ((Request.Reads) request).parts().size())
                .toList();
    }

    private AsyncClient shortReplies(int longest) {
        return new AsyncClient() {
            @Override
            public void send(Request request, Consumer<Reply> onReply) {
                connection.send(request, onReply);
            }

            @Override
            public int longestReply() {
                return longest;
            }
        };
    }

    private List<Election> elections(int count) {
        return IntStream.range(0, count).mapToObj(i -> new Election("e" + i)).toList();
    }

    private final class Election implements ReadBatcher.Reader {

        private final String name;
        private final String path;
        private int queueLength;

        private Election(String name) {
            this.name = name;
            this.path = "/elections/" + name;
        }

        private List<Command.Send> reads() {
            return List.of(
                    new Command.Send(Command.Purpose.LIST, 1, new Request.Children(path, false)),
                    new Command.Send(Command.Purpose.RECORD, 1, new Request.Get(path + "/leader", false)));
        }

        @Override
        public void handle(Event event) {
            Event.Replied replied = (Event.Replied) event;
            int children = replied.reply().children().size();
            queueLength = Math.max(queueLength, children);
            replies.add("%s %s %s %d"
                    .formatted(name, replied.to().purpose(), replied.reply().code(), children));
        }

        @Override
        public int queueLength() {
            return queueLength;
        }
    }
}
