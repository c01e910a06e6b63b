package io.github.leaderelection.zookeeper;

import java.util.HashMap;
import java.util.Map;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** What an evaluation has read so far; {@code stats} are of ancestors or, after an overflow, of the candidates. */
record Findings(@Nullable Listing listing, @Nullable Reply record, Map<String, Stat> stats) {

    static final Findings NONE = new Findings(null, null, Map.of());

    Findings with(Listing listing) {
        return new Findings(listing, record, stats);
    }

    Findings with(Reply record) {
        return new Findings(listing, record, stats);
    }

    Findings with(String path, Stat stat) {
        Map<String, Stat> more = new HashMap<>(stats);
        more.put(path, stat);
        return new Findings(listing, record, more);
    }
}
