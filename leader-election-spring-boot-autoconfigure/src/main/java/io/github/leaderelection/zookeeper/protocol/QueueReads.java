package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import java.util.HashMap;
import java.util.Map;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** What an evaluation has read so far; {@code stats} are of ancestors or, after an overflow, of the candidates. */
public record QueueReads(
        @Nullable CandidateQueue queue, @Nullable Reply record, Map<String, Stat> stats) {

    static final QueueReads NONE = new QueueReads(null, null, Map.of());

    QueueReads with(CandidateQueue queue) {
        return new QueueReads(queue, record, stats);
    }

    QueueReads with(Reply record) {
        return new QueueReads(queue, record, stats);
    }

    QueueReads with(String path, Stat stat) {
        Map<String, Stat> more = new HashMap<>(stats);
        more.put(path, stat);
        return new QueueReads(queue, record, more);
    }
}
