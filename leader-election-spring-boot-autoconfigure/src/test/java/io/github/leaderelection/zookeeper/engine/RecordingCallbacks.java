package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import java.util.ArrayList;
import java.util.List;

/** Records the failures that an election reports, and ignores everything else. */
class RecordingCallbacks implements ElectionCallbacks {

    final List<ElectionException> failures = new ArrayList<>();

    @Override
    public void failed(ElectionException cause) {
        failures.add(cause);
    }
}
