package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Protocol;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class ElectionDeletionTests {

    private final ManualConnection connection = new ManualConnection();
    private final List<String> done = new ArrayList<>();
    private final List<ElectionException> failures = new ArrayList<>();
    private final ElectionDeletion deletion = new ElectionDeletion(
            EngineFixture.engine(new Protocol(), connection),
            "/elections/orders",
            false,
            () -> done.add("deleted"),
            failures::add);

    @Test
    void aQueueThatCannotBeReadIsNotTakenForAnEmptyOne() {
        deletion.connected();
        connection.answerAll(request ->
                request instanceof Request.Children ? Reply.of(Code.MARSHALLINGERROR) : Reply.stat(new Stat()));

        assertThat(done).isEmpty();
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .hasMessageContaining("/elections/orders")
                        .hasMessageContaining("jute.maxbuffer"));
    }

    @Test
    void anElectionThatDoesNotExistIsDeleted() {
        deletion.connected();
        connection.answerAll(request -> Reply.of(Code.NONODE));

        assertThat(done).containsExactly("deleted");
        assertThat(failures).isEmpty();
    }

    @Test
    void itsAuthorLearnsWhetherZooKeeperHasAnswered() {
        deletion.connected();
        connection.answerAll(request -> Reply.of(Code.CONNECTIONLOSS));
        assertThat(deletion.answered()).isNotDone();

        deletion.connected();
        connection.answerAll(request -> Reply.of(Code.NONODE));
        assertThat(deletion.answered()).isCompleted();
    }

    @Test
    void itsAuthorIsToldWhenTheElectionsAreClosed() {
        deletion.closed(new ElectionClosedException("closed"));

        assertThat(failures).singleElement().isInstanceOf(ElectionClosedException.class);
        assertThat(deletion.answered()).isCompleted();
        assertThat(deletion.isOver()).isTrue();
    }
}
