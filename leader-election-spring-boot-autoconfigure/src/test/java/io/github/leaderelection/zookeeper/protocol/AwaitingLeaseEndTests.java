package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class AwaitingLeaseEndTests {

    private static final States.AwaitingLeaseEndBuilder WAITING = awaitingLeaseEnd(1_000);

    @TestFactory
    Stream<DynamicTest> theWait() {
        return table(
                row("a candidate claims when the wait is over")
                        .given(awaitingLeaseEnd(0))
                        .when(woken())
                        .then(claimingNow(), CLAIM),
                row("R13 a candidate looks again when the record changes")
                        .given(WAITING)
                        .when(changed(LeaderRecord.NODE, EventType.NodeDataChanged))
                        .then(evaluating().awaiting(NEXT).waited(WAITING), READ_ALL),
                row("R13 a candidate looks again if the record has changed before its watch was set")
                        .given(WAITING)
                        .when(recordRead(withVersion(VERSION + 1)))
                        .then(evaluating().awaiting(NEXT).waited(WAITING), READ_ALL),
                row("R13 a candidate looks again if the record was created again, whatever its version")
                        .given(WAITING)
                        .when(recordRead(writtenBy(TOKEN + 5, VERSION)))
                        .then(evaluating().awaiting(NEXT).waited(WAITING), READ_ALL),
                row("R13 a candidate looks again if the record is gone")
                        .given(WAITING)
                        .when(recordRead(NO_NODE))
                        .then(evaluating().awaiting(NEXT).waited(WAITING), READ_ALL),
                row("a candidate that waits without a record looks again if there is one")
                        .given(WAITING.claim(NO_RECORD))
                        .when(recordRead(withVersion(0)))
                        .then(evaluating().awaiting(NEXT).waited(WAITING.claim(NO_RECORD)), READ_ALL),
                row("a candidate goes on waiting if the record is unchanged")
                        .given(WAITING)
                        .when(recordRead(withVersion(VERSION)))
                        .thenNothing(),
                row("a lost reply says nothing about the record")
                        .given(WAITING)
                        .when(replied(Purpose.RECORD, Code.CONNECTIONLOSS))
                        .thenNothing(),
                row("a change of another node does not end the wait")
                        .given(WAITING)
                        .when(deleted(AFTER))
                        .thenNothing());
    }

    private static Reply withVersion(int version) {
        return writtenBy(TOKEN, version);
    }

    private static Reply writtenBy(long zxid, int version) {
        Stat stat = new Stat();
        stat.setVersion(version);
        stat.setMzxid(zxid);
        return Reply.data(LeaderRecord.held(BEFORE, TOKEN, OTHERS_LEASE).toJson(), stat);
    }

    @TestFactory
    Stream<DynamicTest> theConnection() {
        return table(
                row("a wait goes on while the connection is lost (F43)")
                        .given(WAITING)
                        .when(disconnected())
                        .then(detached().waited(WAITING)),
                row("a candidate whose session expires waits for a new one")
                        .given(WAITING)
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST)));
    }

    @TestFactory
    Stream<DynamicTest> leaves() {
        return table(row("a candidate that leaves removes its watch on the record (I5)")
                .given(WAITING)
                .when(leave(AfterLeaving.CLOSE))
                .then(
                        leaving(AfterLeaving.CLOSE).awaiting(NEXT).deleting(),
                        "CLEAN_UP RemoveWatches leader",
                        DELETE_OWN_NODE,
                        READ_RECORD));
    }
}
