package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Slows down requests whose replies get lost again and again. A reply longer than the client's {@code jute.maxbuffer}
 * breaks the connection each time, and all requests under way with it. So after several losses in a row, each on a
 * connection that had worked, it is requested less and less often.
 */
final class OversizedReplyBackoff {

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

    /** Whether the request should not be sent yet. */
    boolean holdBack(Request request) {
        Losses losses = canBeTooLong(request) ? byPath.get(request.path()) : null;
        return losses != null && losses.inARow() >= PATIENCE && clock.nanos() - losses.notBefore() < 0;
    }

    void answered(Request request, Reply reply) {
        boolean lost = reply.ambiguous();
        if (broken && !lost) {
            connection++;
        }
        broken = lost;
        if (canBeTooLong(request)) {
            if (lost) {
                lost(request.path(), byPath.get(request.path()));
            } else {
                byPath.remove(request.path());
            }
        }
    }

    /** A candidate's node does not outlive its session, so requests for it will never be answered. */
    void expired() {
        byPath.keySet().removeIf(path -> NodeName.parse(Paths.name(path)).isPresent());
    }

    /** Other instances determine the length of a queue and of its data; {@link ReadBatcher} keeps batches short. */
    private static boolean canBeTooLong(Request request) {
        return request instanceof Request.Children
                || request instanceof Request.Reads reads && listsOnce(reads)
                || request instanceof Request.Get get && get.watch();
    }

    private static boolean listsOnce(Request.Reads reads) {
        int lists = 0;
        for (Request part : reads.parts()) {
            lists += part instanceof Request.Children ? 1 : 0;
        }
        return lists == 1;
    }

    private void lost(String path, @Nullable Losses before) {
        if (before != null && before.connection() == connection) {
            return;
        }
        int inARow = before == null ? 1 : before.inARow() + 1;
        long pause = 1_000_000_000L << Math.min(Math.max(0, inARow - PATIENCE), MOST_DOUBLINGS);
        // Different for each path, so that a reply that is lost only along with another one is soon requested alone.
        long spread = pause / 200 * (150 + Math.floorMod(path.hashCode(), 100));
        byPath.put(path, new Losses(inARow, connection, clock.nanos() + spread));
    }
}
