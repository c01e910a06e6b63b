package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lists and data whose answers do not come. An answer longer than the client's {@code jute.maxbuffer} breaks the connection
 * each time, and everything under way with it. So after several losses in a row, each on a connection that had worked, it
 * is requested less and less often.
 */
public final class OversizedReplyBackoff {

    private static final int PATIENCE = 3;
    private static final int MOST_DOUBLINGS = 5;

    private final Clock clock;
    private final Map<String, Losses> byPath = new HashMap<>();
    private long connection;
    private boolean broken;

    private record Losses(int inARow, long connection, long notBefore) {}

    OversizedReplyBackoff(Clock clock) {
        this.clock = clock;
    }

    /** Whether the request is one that had better wait. */
    boolean holdBack(Request request) {
        Losses losses = canBeTooLong(request) ? byPath.get(request.path()) : null;
        return losses != null && losses.inARow() >= PATIENCE && clock.nanos() - losses.notBefore() < 0;
    }

    void answered(Request request, Reply reply) {
        if (reply.ambiguous()) {
            broken = true;
        } else if (broken) {
            broken = false;
            connection++;
        }
        if (canBeTooLong(request)) {
            if (reply.ambiguous()) {
                lost(request.path(), byPath.get(request.path()));
            } else {
                byPath.remove(request.path());
            }
        }
    }

    /** No candidate outlives its session under the same name; what is lost of it would never be answered. */
    void expired() {
        byPath.keySet().removeIf(path -> NodeName.parse(Paths.name(path)).isPresent());
    }

    /** The queue, and the data of a candidate's node, are as long as others make them; {@link ReadBatcher} are kept short. */
    private static boolean canBeTooLong(Request request) {
        return request instanceof Request.Children
                || request instanceof Request.Reads reads && listsOne(reads)
                || request instanceof Request.Get get && get.watch();
    }

    private static boolean listsOne(Request.Reads reads) {
        int lists = 0;
        for (Request part : reads.parts()) {
            lists += part instanceof Request.Names ? 1 : 0;
        }
        return lists == 1;
    }

    private void lost(String path, @Nullable Losses before) {
        if (before != null && before.connection() == connection) {
            return;
        }
        int inARow = before == null ? 1 : before.inARow() + 1;
        long pause = 1_000_000_000L << Math.min(Math.max(0, inARow - PATIENCE), MOST_DOUBLINGS);
        // Not the same for all: what is lost only along with another is soon asked for alone.
        long spread = pause / 200 * (150 + Math.floorMod(path.hashCode(), 100));
        byPath.put(path, new Losses(inARow, connection, clock.nanos() + spread));
    }
}
