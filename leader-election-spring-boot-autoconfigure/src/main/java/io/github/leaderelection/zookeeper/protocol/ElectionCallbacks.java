package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;

/** Notified of what happens to an election; called on the loop, so it must not block. */
public interface ElectionCallbacks {

    /** The state has changed; called before the commands of that step are carried out. */
    default void published(ElectionState election) {}

    /** The data of another candidate was read, for whatever reason. */
    default void candidateRead(String node, CandidateData candidate) {}

    /** The record was read. */
    default void recordRead(LeaderRecord record) {}

    default void granted(long term) {}

    default void revoked(long term, RevocationReason reason, long endedAt) {}

    /** The leadership was taken from a silent holder; followed by a grant. */
    default void tookOver() {}

    /** The leadership was handed to a chosen candidate. */
    default void moved(Move move) {}

    /** Answer with {@link Event.Drained} once listeners and leader-only work are done with the term. */
    default void drain(long term) {}

    default void left(boolean confirmed) {}

    default void ended() {}

    default void failed(ElectionException cause) {}
}
