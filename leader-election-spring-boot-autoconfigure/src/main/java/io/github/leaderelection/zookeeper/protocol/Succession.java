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
 * @param touchOfNext wakes {@code next} when it is named in a hand-over; null until its node is read
 * @param requested whether a hand-over is requested
 * @param appointing the appointment in progress, or the one that ZooKeeper has refused, which rules out others in this
 *     term; null if there is none
 */
public record Succession(
        int candidates,
        @Nullable String heir,
        @Nullable String fallback,
        @Nullable String next,
        @Nullable Request touchOfNext,
        boolean requested,
        @Nullable Appointment appointing) {

    public static final Succession UNKNOWN = new Succession(0, null, null, null, null, false, null);

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

    /** The hand-over that follows the appointment in progress; null if none does. */
    @Nullable
    Move move() {
        return appointing == null ? null : appointing.move;
    }

    /** @param appointed the heir in the record, which stays the heir unless another one is better */
    Succession listed(CandidateQueue queue, String leader, String appointed, Heirs heirs) {
        String chosen = queue.ordered() ? choose(queue, leader, null, appointed, heirs) : null;
        String second = chosen == null ? null : choose(queue, leader, chosen, "", new Heirs("", heirs.silent()));
        boolean known = second != null && second.equals(next);
        return new Succession(
                queue.nodes().size(),
                appointed.equals(chosen) ? appointed : chosen,
                queue.contains(appointed) ? appointed : queue.watcherOf(leader),
                second,
                known ? touchOfNext : null,
                queue.handOverRequested(),
                appointing);
    }

    Succession touching(Request touchOfNext) {
        return new Succession(candidates, heir, fallback, next, touchOfNext, requested, appointing);
    }

    Succession appointing(@Nullable Appointment appointment) {
        return new Succession(candidates, heir, fallback, next, touchOfNext, requested, appointment);
    }

    /**
     * Names the heir, if the record does; otherwise a candidate that watches us anyway. Then the heir's own heir is left
     * out: where the heir could not be appointed, ZooKeeper does not let us write to other candidates' nodes.
     */
    HandingOver.Plan plan(Holding holding) {
        boolean appointed = heir != null && heir.equals(holding.heir());
        return appointed && next != null && touchOfNext != null
                ? new HandingOver.Plan(heir, next, List.of(touchOfNext))
                : new HandingOver.Plan(appointed ? heir : fallback, "", List.of());
    }

    /**
     * Names the chosen candidate. A former heir that is another candidate already watches our node, and becomes the heir
     * of the new leader.
     *
     * @param extra what else goes along with the hand-over
     */
    HandingOver.Plan planFor(String to, @Nullable String former, ElectionState.Config config, @Nullable Request extra) {
        String second = "";
        List<Request> along = new ArrayList<>(2);
        if (former != null && !former.isEmpty() && !former.equals(to)) {
            second = former;
            along.add(new Request.Check(config.node(former)));
        } else if (next != null && touchOfNext != null && !next.equals(to)) {
            second = next;
            along.add(touchOfNext);
        }
        if (extra != null) {
            along.add(extra);
        }
        return new HandingOver.Plan(to, second, along);
    }

    /**
     * The highest priority; among equals the preferred connection, then the present heir, then the oldest. Our own
     * connection, which fails when we do, and a silent connection are chosen only if there is no other.
     */
    private static @Nullable String choose(
            CandidateQueue queue, String leader, @Nullable String except, String present, Heirs heirs) {
        String own = NodeName.connection(NodeName.guid(leader));
        NodeName best = null;
        for (NodeName candidate : queue.nodes()) {
            String name = candidate.name();
            boolean other = !name.equals(leader) && !name.equals(except);
            if (other && (best == null || isBetter(candidate, best, own, present, heirs))) {
                best = candidate;
            }
        }
        return best == null ? null : best.name();
    }

    private static boolean isBetter(NodeName one, NodeName other, String own, String present, Heirs heirs) {
        boolean alive = isAlive(one, own, heirs);
        if (alive != isAlive(other, own, heirs)) {
            return alive;
        }
        return one.priority() != other.priority()
                ? one.priority() > other.priority()
                : preference(one, present, heirs) > preference(other, present, heirs);
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
}
