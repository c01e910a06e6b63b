package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.CLEAR;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.CLOSE;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.END;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.OBSERVE;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.PAUSE;
import static io.github.leaderelection.zookeeper.protocol.AfterLeaving.REJOIN;
import static io.github.leaderelection.zookeeper.protocol.Fixture.*;
import static io.github.leaderelection.zookeeper.protocol.Row.row;
import static io.github.leaderelection.zookeeper.protocol.Row.table;
import static io.github.leaderelection.zookeeper.protocol.States.*;

import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What all states of a candidate that leaves have in common, and the small ones: deleting, releasing, parked. */
class LeavingTests {

    @TestFactory
    Stream<DynamicTest> deleting() {
        return table(
                row("a candidate whose node is deleted waits for the record that it reads after that")
                        .given(leaving(CLOSE).deleting())
                        .when(replied(Purpose.DELETE, Code.OK))
                        .thenNothing(),
                row("a candidate that may not delete its node reports it, and tries again later (F57)")
                        .given(leaving(CLOSE).deleting())
                        .when(replied(Purpose.DELETE, Code.NOAUTH))
                        .then(leaving(CLOSE).awaiting(NEXT).parked(), "Failed ElectionException", Fixture.PAUSE)
                        .failures(1),
                row("a candidate that was named just before its node went releases the record")
                        .given(leaving(CLOSE).deleting())
                        .when(recordRead(held(ME, 30)))
                        .then(leaving(CLOSE).awaiting(NEXT).releasing(), "RELEASE Set leader v4 RELEASED 30 2000"),
                row("R25 a released record keeps the token of a claim that had none yet (I7)")
                        .given(leaving(CLOSE).deleting())
                        .when(recordRead(record(LeaderRecord.held(ME, 0, OTHERS_LEASE), 75)))
                        .then(leaving(CLOSE).awaiting(NEXT).releasing(), "RELEASE Set leader v4 RELEASED 75 2000"),
                row("a candidate that was not named has left")
                        .given(leaving(CLOSE).deleting())
                        .when(recordRead(held(AFTER, 30)))
                        .then(closed(), "Left confirmed"),
                row("a candidate that leaves an election without a record has left")
                        .given(leaving(CLOSE).deleting())
                        .when(recordRead(NO_NODE))
                        .then(closed(), "Left confirmed"),
                row("a candidate of an ended election clears it away once its node is gone (F67)")
                        .given(leaving(CLEAR).deleting())
                        .when(recordRead(ended(60)))
                        .then(new Clearing(), "Left confirmed", "DeleteEndedElection"),
                row("a candidate learns that the election has ended when it leaves")
                        .given(leaving(REJOIN).deleting())
                        .when(recordRead(ended(80)))
                        .then(closedAfterEnd(), "Ended", "Left confirmed"),
                row("a lost reply says nothing")
                        .given(leaving(CLOSE).deleting())
                        .when(replied(Purpose.RECORD, Code.CONNECTIONLOSS))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> releasing() {
        return table(
                row("a candidate that has released the record has left")
                        .given(leaving(CLOSE).releasing())
                        .when(replied(Purpose.RELEASE, Code.OK))
                        .then(closed(), "Left confirmed"),
                row("a candidate that may not release the record has left; the next one waits for the lease (F57)")
                        .given(leaving(CLOSE).releasing())
                        .when(replied(Purpose.RELEASE, Code.NOAUTH))
                        .then(closed(), "Left confirmed"),
                row("an end that was acknowledged is not acknowledged again")
                        .given(leaving(END).deleting())
                        .when(recordRead(record(
                                LeaderRecord.held(ME, TOKEN, OTHERS_LEASE)
                                        .ended()
                                        .acknowledge(),
                                80)))
                        .then(closedAfterEnd(), "Left confirmed"),
                row("a lost reply says nothing")
                        .given(leaving(CLOSE).releasing())
                        .when(replied(Purpose.RELEASE, Code.CONNECTIONLOSS))
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> parked() {
        return table(
                row("R19 a candidate that is connected again looks what is left to do (F29)")
                        .given(leaving(CLOSE).parked())
                        .when(connected())
                        .then(leaving(CLOSE).awaiting(NEXT).inspecting(), BARRIER, READ_ALL),
                row("a candidate looks again after a pause")
                        .given(leaving(CLOSE).parked())
                        .when(woken())
                        .then(leaving(CLOSE).awaiting(NEXT).inspecting(), BARRIER, READ_ALL),
                row("a pause that ends without a connection does nothing")
                        .given(leaving(CLOSE).parked())
                        .disconnected()
                        .when(woken())
                        .thenNothing(),
                row("a candidate that joins again remembers that its node may still be there (F34)")
                        .given(leaving(REJOIN).parked())
                        .terms(3)
                        .disconnected()
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NO_REQUEST), "Left unconfirmed"),
                row("a candidate that joins again after a pause remembers that its node may still be there (F34)")
                        .given(leaving(PAUSE).parked())
                        .terms(3)
                        .disconnected()
                        .when(expired())
                        .then(pendingWithNodeLeftBehind(NEXT), "Left unconfirmed", Fixture.PAUSE)
                        .failures(1));
    }

    @TestFactory
    Stream<DynamicTest> whatFollows() {
        return table(
                row("a candidate that is nominated while it withdraws joins again once it has left (F41)")
                        .given(leaving(OBSERVE).handingOverWithoutHeir())
                        .when(nominate())
                        .then(leaving(REJOIN).handingOverWithoutHeir()),
                row("R36 a candidate that leaves anyway goes on with that when its heartbeat is lost (F75)")
                        .given(leaving(CLOSE).handingOver())
                        .when(rejoin())
                        .thenNothing(),
                row("a candidate that closes is not nominated again")
                        .given(leaving(CLOSE).deleting())
                        .when(nominate())
                        .thenNothing(),
                row("a candidate that leaves may be closed")
                        .given(leaving(REJOIN).deleting())
                        .when(leave(CLOSE))
                        .then(leaving(CLOSE).deleting()),
                row("a candidate that closes goes on with that")
                        .given(leaving(CLOSE).deleting())
                        .when(leave(OBSERVE))
                        .thenNothing(),
                row("a candidate whose process deletes the election while it leaves does not join again")
                        .given(leaving(REJOIN).deleting())
                        .when(electionDeleted())
                        .then(leaving(END).deleting(), "Ended"),
                row("a candidate that closes does not announce the end of the election")
                        .given(leaving(CLOSE).deleting())
                        .when(electionDeleted())
                        .thenNothing());
    }

    @TestFactory
    Stream<DynamicTest> theConnection() {
        return table(
                row("R19 a candidate that is cut off while it leaves looks when it is connected (F29)")
                        .given(leaving(CLOSE).deleting())
                        .when(disconnected())
                        .then(leaving(CLOSE).awaiting(NO_REQUEST).parked()),
                row("a recheck looks again")
                        .given(leaving(CLOSE).releasing())
                        .when(recheck())
                        .then(leaving(CLOSE).awaiting(NEXT).inspecting(), BARRIER, READ_ALL),
                row("a candidate whose session expires has left, which is not confirmed (F33)")
                        .given(leaving(CLOSE).releasing())
                        .when(expired())
                        .then(closed(), "Left unconfirmed"));
    }
}
