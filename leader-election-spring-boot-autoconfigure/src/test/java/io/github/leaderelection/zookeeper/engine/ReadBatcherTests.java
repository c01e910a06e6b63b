package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

/** Reads of several elections in one packet. */
class ReadBatcherTests {

    private final ManualConnection connection = new ManualConnection();
    private final Sequence steps = new Sequence();
    private final List<String> answers = new ArrayList<>();
    private final ReadBatcher batcher = new ReadBatcher(connection, steps, this::answered);
    private int candidates = 3;

    @Test
    void electionsWhoseQueuesAreKnownAreVerifiedTogether() {
        List<HostedElection> elections = elections(100);
        verify(elections);
        assertThat(packets()).as("how long the queues are is not known yet").hasSize(100);

        verify(elections);

        assertThat(packets()).containsExactly(200);
        assertThat(answers)
                .startsWith("e0 LIST OK 3", "e0 RECORD OK 0", "e1 LIST OK 3")
                .hasSize(400);
    }

    @Test
    void longQueuesGoByThemselves() {
        candidates = 600;
        List<HostedElection> elections = elections(5);
        verify(elections);
        packets();

        verify(elections);

        assertThat(packets()).containsExactly(2, 2, 2, 2, 2);
    }

    @Test
    void whatBrokeTheConnectionIsCutInHalves() {
        List<HostedElection> elections = elections(100);
        verify(elections);
        packets();

        ask(elections);
        lose();
        ask(elections);
        assertThat(packets()).as("once may be chance").containsExactly(200, 200);
        lose();
        ask(elections);
        assertThat(packets()).containsExactly(100, 100);
        lose();
        ask(elections);
        assertThat(packets()).as("both were lost at once").hasSize(4);

        for (int round = 0; round < 10; round++) {
            lose();
            ask(elections);
        }
        lose();
        packets();
        ask(elections);
        assertThat(packets()).hasSize(100);
        assertThat(answers).contains("e99 RECORD CONNECTIONLOSS 0");

        lose();
        batcher.expired();
        ask(elections);
        assertThat(packets()).as("on the next session").hasSize(1);
    }

    @Test
    void whatComesAloneSaysNothingAboutThoseThatAreLost() {
        List<HostedElection> elections = elections(100);
        verify(elections);
        packets();

        ask(elections);
        lose();
        batcher.sendAlone(elections.get(0), reads(elections.get(0)));
        answer();
        ask(elections);
        lose();
        packets();
        ask(elections);

        assertThat(packets()).containsExactly(100, 100);
    }

    @Test
    void whatIsAddedOutsideAStepIsSentAtOnce() {
        for (HostedElection hosted : elections(2)) {
            batcher.add(hosted, reads(hosted));
        }

        assertThat(packets()).containsExactly(2, 2);
    }

    @Test
    void eachElectionHasItsOwnAnswersAlsoIfOneIsGone() {
        List<HostedElection> elections = elections(3);
        verify(elections);
        answers.clear();

        ask(elections);
        connection.answerAll(request -> Reply.parts(((Request.Reads) request)
                .parts().stream()
                        .map(part -> part.path().startsWith("/elections/e1") ? Reply.of(Code.NONODE) : found(part))
                        .toList()));

        assertThat(answers)
                .containsExactly(
                        "e0 LIST OK 3",
                        "e0 RECORD OK 0",
                        "e1 LIST NONODE 0",
                        "e1 RECORD NONODE 0",
                        "e2 LIST OK 3",
                        "e2 RECORD OK 0");
    }

    private void verify(List<HostedElection> elections) {
        ask(elections);
        answer();
    }

    private void answer() {
        connection.answerAll(request -> Reply.parts(
                ((Request.Reads) request).parts().stream().map(this::found).toList()));
    }

    /** All in one step, as the engine does it. */
    private void ask(List<HostedElection> elections) {
        steps.execute(() -> elections.forEach(hosted -> batcher.add(hosted, reads(hosted))));
    }

    private static List<Command.Send> reads(HostedElection hosted) {
        return List.of(
                new Command.Send(Command.Purpose.LIST, 1, new Request.Names(hosted.path())),
                new Command.Send(Command.Purpose.RECORD, 1, new Request.Get(hosted.path() + "/leader", false)));
    }

    private void lose() {
        connection.answerAll(request -> Reply.of(Code.CONNECTIONLOSS));
    }

    private Reply found(Request request) {
        return request instanceof Request.Names
                ? Reply.names(Collections.nCopies(candidates, "c-abc-0000000001"))
                : Reply.data(Request.NO_DATA, new Stat());
    }

    /** As the engine does it, but for the election's own step. */
    private void answered(HostedElection hosted, Event event) {
        if (event instanceof Event.Replied replied) {
            hosted.replied(replied);
            answers.add("%s %s %s %d"
                    .formatted(
                            Paths.name(hosted.path()),
                            replied.to().purpose(),
                            replied.reply().code(),
                            replied.reply().children().size()));
        }
    }

    /** How many reads were in each packet that was sent since this was last asked. */
    private List<Integer> packets() {
        return connection.sent().stream()
                .map(request -> ((Request.Reads) request).parts().size())
                .toList();
    }

    private static List<HostedElection> elections(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new ElectionState.Config("e" + i, "/elections/e" + i, true, () -> "id", Map.of()))
                .map(config -> new HostedElection(ElectionState.of(config), new RecordingCallbacks()))
                .toList();
    }
}
