package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;

/** Where an election's news go; called on the loop, so it must not block. */
public interface ElectionCallbacks {

    /** The state has changed; comes before what the change brings about. */
    void published(ElectionState election);

    void granted(long term);

    void revoked(long term, RevocationReason reason);

    /** Signal {@link Event.Drained} when everything that the term's end has to wait for is done. */
    void drain(long term);

    void left(boolean confirmed);

    void ended();

    void failed(ElectionException cause);
}
