package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

/** Reads of several elections in one packet. */
class BundlesTests {

    private final ManualConnection connection = new ManualConnection();
    private final Sequence steps = new Sequence();
    private final List<String> answers = new ArrayList<>();
    private final Bundles bundles = new Bundles(connection, steps, this::answered);
    private int candidates = 3;

    @Test
    void electionsWhoseQueuesAreKnownAreVerifiedTogether() {
        List<Cell> cells = cells(100);
        verify(cells);
        assertThat(packets()).as("how long the queues are is not known yet").hasSize(100);

        verify(cells);

        assertThat(packets()).containsExactly(200);
        assertThat(answers)
                .startsWith("e0 LIST OK 3", "e0 RECORD OK 0", "e1 LIST OK 3")
                .hasSize(400);
    }

    @Test
    void longQueuesGoByThemselves() {
        candidates = 600;
        List<Cell> cells = cells(5);
        verify(cells);
        packets();

        verify(cells);

        assertThat(packets()).containsExactly(2, 2, 2, 2, 2);
    }

    @Test
    void whatBrokeTheConnectionIsCutInHalves() {
        List<Cell> cells = cells(100);
        verify(cells);
        packets();

        ask(cells);
        lose();
        ask(cells);
        assertThat(packets()).as("once may be chance").containsExactly(200, 200);
        lose();
        ask(cells);
        assertThat(packets()).containsExactly(100, 100);
        lose();
        ask(cells);
        assertThat(packets()).as("both were lost at once").hasSize(4);

        for (int round = 0; round < 10; round++) {
            lose();
            ask(cells);
        }
        lose();
        packets();
        ask(cells);
        assertThat(packets()).hasSize(100);
        assertThat(answers).contains("e99 RECORD CONNECTIONLOSS 0");

        lose();
        bundles.expired();
        ask(cells);
        assertThat(packets()).as("on the next session").hasSize(1);
    }

    @Test
    void whatComesAloneSaysNothingAboutThoseThatAreLost() {
        List<Cell> cells = cells(100);
        verify(cells);
        packets();

        ask(cells);
        lose();
        bundles.sendAlone(cells.get(0), reads(cells.get(0)));
        answer();
        ask(cells);
        lose();
        packets();
        ask(cells);

        assertThat(packets()).containsExactly(100, 100);
    }

    @Test
    void whatIsAddedOutsideAStepIsSentAtOnce() {
        for (Cell cell : cells(2)) {
            bundles.add(cell, reads(cell));
        }

        assertThat(packets()).containsExactly(2, 2);
    }

    @Test
    void eachElectionHasItsOwnAnswersAlsoIfOneIsGone() {
        List<Cell> cells = cells(3);
        verify(cells);
        answers.clear();

        ask(cells);
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

    private void verify(List<Cell> cells) {
        ask(cells);
        answer();
    }

    private void answer() {
        connection.answerAll(request -> Reply.parts(
                ((Request.Reads) request).parts().stream().map(this::found).toList()));
    }

    /** All in one step, as the engine does it. */
    private void ask(List<Cell> cells) {
        steps.execute(() -> cells.forEach(cell -> bundles.add(cell, reads(cell))));
    }

    private static List<Command.Send> reads(Cell cell) {
        return List.of(
                new Command.Send(Command.About.LIST, 1, new Request.Names(cell.path())),
                new Command.Send(Command.About.RECORD, 1, new Request.Get(cell.path() + "/leader", false)));
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
    private void answered(Cell cell, Signal signal) {
        if (signal instanceof Signal.Replied replied) {
            cell.replied(replied);
            answers.add("%s %s %s %d"
                    .formatted(
                            Paths.name(cell.path()),
                            replied.to().about(),
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

    private static List<Cell> cells(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Ballot.Setting("e" + i, "/elections/e" + i, true, () -> "id", Map.of()))
                .map(setting -> new Cell(Ballot.of(setting), new Noted()))
                .toList();
    }
}
