package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.HandOverRequest;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The candidates that come after the leader: all that a leader keeps of the queue.
 *
 * @param candidates the number of candidates, including the leader; 0 before the first list
 * @param heir the candidate that the leader wants as its heir; null if there is none
 * @param fallback a candidate that watches the leader's node, whether or not it is the heir; null if there is none
 * @param next the candidate that the leader would choose as the heir's heir; null if there is none
 * @param along further parts of the hand-over transaction, such as the touch of {@code next}; empty until that is read
 * @param requested whether a hand-over is requested
 * @param appointing the appointment in progress, or the one that ZooKeeper has refused, which rules out others in this
 *     term; null if there is none
 */
public record Succession(
        int candidates,
        @Nullable String heir,
        @Nullable String fallback,
        @Nullable String next,
        List<Request> along,
        boolean requested,
        @Nullable Appointment appointing) {

    public static final Succession UNKNOWN = new Succession(0, null, null, null, List.of(), false, null);

    /**
     * An heir that is being appointed.
     *
     * @param request the request that asks for it; null if there is none
     * @param requestVersion the version of the request's node
     * @param move the hand-over that follows; null if none does
     */
    public record Appointment(
            String heir,
            @Nullable HandOverRequest request,
            int requestVersion,
            @Nullable Move move) {

        Appointment with(@Nullable Move move) {
            return new Appointment(heir, request, requestVersion, move);
        }
    }

    public boolean isKnown() {
        return candidates > 0;
    }

    /** @param appointed the heir in the record, which stays the heir unless another one is better */
    Succession listed(CandidateQueue queue, String leader, String appointed, Heirs heirs) {
        List<NodeName> others = new ArrayList<>(queue.nodes());
        others.removeIf(node -> node.name().equals(leader));
        String own = NodeName.connection(NodeName.guid(leader));
        String chosen = queue.ordered() ? choose(others, own, appointed, heirs) : null;
        others.removeIf(node -> node.name().equals(chosen));
        String second = chosen == null ? null : choose(others, own, "", new Heirs("", heirs.silent()));
        boolean known = second != null && second.equals(next);
        return new Succession(
                queue.nodes().size(),
                appointed.equals(chosen) ? appointed : chosen,
                queue.contains(appointed) ? appointed : queue.watcherOf(leader),
                second,
                known ? along : List.of(),
                queue.handOverRequested(),
                appointing);
    }

    Succession along(Request touch) {
        return new Succession(candidates, heir, fallback, next, List.of(touch), requested, appointing);
    }

    Succession appointing(@Nullable Appointment appointment) {
        return new Succession(candidates, heir, fallback, next, along, requested, appointment);
    }

    /**
     * Hands over to the chosen candidate. A former heir that is another candidate already watches our node, and becomes
     * the heir of the new leader.
     *
     * @param extra what else goes along with the hand-over
     */
    Succession handedTo(String to, String former, ElectionState.Config config, List<Request> extra) {
        List<Request> more = new ArrayList<>();
        boolean inherits = !former.isEmpty() && !former.equals(to);
        String second = inherits ? former : next;
        if (inherits) {
            more.add(new Request.Check(config.node(former)));
        } else if (!along.isEmpty() && !to.equals(next)) {
            more.addAll(along);
        } else {
            second = null;
        }
        more.addAll(extra);
        return new Succession(candidates, to, to, second, more, false, null);
    }

    /**
     * The highest priority; among equals the preferred connection, then the present heir, then the oldest. Our own
     * connection, which fails when we do, and a silent connection are chosen only if there is no other.
     */
    private static @Nullable String choose(List<NodeName> candidates, String own, String present, Heirs heirs) {
        NodeName best = null;
        for (NodeName candidate : candidates) {
            if (best == null || compare(candidate, best, own, present, heirs) > 0) {
                best = candidate;
            }
        }
        return best == null ? null : best.name();
    }

    private static int compare(NodeName one, NodeName other, String own, String present, Heirs heirs) {
        int byLife = Boolean.compare(isAlive(one, own, heirs), isAlive(other, own, heirs));
        if (byLife != 0) {
            return byLife;
        }
        int byPriority = Integer.compare(one.priority(), other.priority());
        return byPriority != 0
                ? byPriority
                : Integer.compare(preference(one, present, heirs), preference(other, present, heirs));
    }

    private static boolean isAlive(NodeName candidate, String own, Heirs heirs) {
        return !candidate.connection().equals(own) && !heirs.silent().contains(candidate.connection());
    }

    /** A change costs two writes, so the present heir comes before others that are as good. */
    private static int preference(NodeName candidate, String present, Heirs heirs) {
        return candidate.connection().equals(heirs.preferred())
                ? 2
                : candidate.name().equals(present) ? 1 : 0;
    }

    /** The candidate to hand over to: the heir, if the record names it, or else a candidate that watches us anyway. */
    @Nullable
    String successor(Holding holding) {
        return heir != null && heir.equals(holding.heir()) ? heir : fallback;
    }
}
