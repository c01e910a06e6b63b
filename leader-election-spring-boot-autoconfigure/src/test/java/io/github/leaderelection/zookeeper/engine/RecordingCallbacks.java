package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Move;
import java.util.ArrayList;
import java.util.List;

/** Records the failures that an election reports, and ignores everything else. */
class RecordingCallbacks implements ElectionCallbacks {

    final List<ElectionException> failures = new ArrayList<>();

    @Override
    public void published(ElectionState election) {}

    @Override
    public void granted(long term) {}

    @Override
    public void revoked(long term, RevocationReason reason, long endedAt) {}

    @Override
    public void tookOver() {}

    @Override
    public void moved(Move move) {}

    @Override
    public void drain(long term) {}

    @Override
    public void left(boolean confirmed) {}

    @Override
    public void ended() {}

    @Override
    public void failed(ElectionException cause) {
        failures.add(cause);
    }
}
