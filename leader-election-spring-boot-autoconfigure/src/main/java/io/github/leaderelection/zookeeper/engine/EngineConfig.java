package io.github.leaderelection.zookeeper.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an engine is set up.
 *
 * @param lease in milliseconds; null: a third of the negotiated session timeout
 * @param grace in milliseconds; null: a sixth of the lease
 * @param mostUnderWay how many requests may be under way when another candidate begins
 * @param spread how elections are spread over the connections; null: they are not
 */
public record EngineConfig(
        String root,
        @Nullable Long lease,
        @Nullable Long grace,
        long recheckMillis,
        int mostUnderWay,
        @Nullable Spread spread) {

    /**
     * How elections are spread over the connections.
     *
     * @param settle how long no connection must have joined or left
     * @param concurrency how many elections may move at once
     */
    public record Spread(Duration settle, int concurrency) {}
}
