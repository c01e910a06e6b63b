package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.support.MoveCause;
import io.github.leaderelection.support.OneLine;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.Succession.Appointment;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.HandOverRequest;
import io.github.leaderelection.zookeeper.znode.HandOverRequest.Answer;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * How a leader appoints its heir. One transaction writes the heir into the record and touches the heir's node, whose
 * watch wakes it: from then on it follows the leader, observes its heartbeat and keeps its own node proven. A candidate
 * to which the leader hands over is appointed first, too, so that it is ready when the leader goes.
 */
record Appointing(Step step, Leading leading) {

    /** The delay before a retry while another appointment is under way. */
    private static final long BUSY = 1_000_000_000L;

    /**
     * For the appointed candidate to follow the leader. It also spreads the load of many moves at once: the less there is
     * to do at a time, the shorter is the time without a leader.
     */
    static final long TIME_TO_FOLLOW = 80_000_000L;

    /** The queue, as the leader's list has shown it. */
    void listed(CandidateQueue queue, boolean setWatch) {
        CandidateNode ownNode = leading.ownNode();
        Succession before = leading.succession();
        Leading informed = leading.withQueue(step, queue);
        step.deleteOrphans(ownNode.candidacy(), queue, ownNode.name());
        if (!queue.recordListed()) {
            informed = informed.restoreRecord(step);
        }
        Appointing next = new Appointing(step, informed);
        next.preemptLater(before.heir());
        boolean watchMissedIt =
                !setWatch && step.queueWatched && informed.succession().candidates() != before.candidates();
        if (watchMissedIt) {
            informed.setAllWatches(step);
        } else {
            next.proceed();
        }
    }

    /** Begins whatever is left to do; one appointment at a time, since each one changes the record's version. */
    void proceed() {
        Succession succession = leading.succession();
        step.state = leading;
        if (succession.next() != null && succession.touchOfNext() == null) {
            read(Purpose.NEXT, succession.next());
        }
        if (succession.appointing() != null) {
            return;
        }
        if (succession.requested()) {
            read(Purpose.REQUEST, HandOverRequest.NODE);
        }
        String heir = succession.heir();
        if (heir != null && !heir.equals(leading.holding().heir())) {
            begin(new Appointment(heir, null, 0, null));
        }
    }

    private void begin(Appointment appointment) {
        step.state = leading.appointing(appointment);
        read(Purpose.HEIR, appointment.heir());
    }

    private void read(Purpose purpose, String node) {
        step.read(purpose, leading.requestId(), node);
    }

    void answered(Command.Send to, Reply reply) {
        Appointment appointment = leading.succession().appointing();
        if (to.purpose() == Purpose.NEXT) {
            nextRead(to, reply);
        } else if (to.purpose() == Purpose.SUPERIOR) {
            superiorRead(to, reply);
        } else if (to.purpose() == Purpose.REQUEST && reply.ok()) {
            requestRead(
                    HandOverRequest.parse(reply.data()).orElse(null),
                    reply.stat().getVersion());
        } else if (to.purpose() == Purpose.FORMER_HEIR && reply.ok()) {
            step.send(Purpose.CLEAN_UP, leading.requestId(), touch(to, reply));
        } else if (to.purpose() == Purpose.HEIR && appointment != null) {
            heirRead(appointment, to, reply);
        } else if (to.purpose() == Purpose.APPOINT && appointment != null) {
            appointed(appointment, reply);
        }
    }

    /** Writes the data that was read, which wakes the candidate that watches its own node. */
    private static Request touch(Command.Send read, Reply reply) {
        return new Request.Set(read.request().path(), reply.data(), reply.stat().getVersion());
    }

    private void nextRead(Command.Send to, Reply reply) {
        String path = to.request().path();
        Succession succession = leading.succession();
        if (reply.ok() && succession.next() != null && path.equals(step.config.node(succession.next()))) {
            step.state = leading.with(succession.touching(new Request.Set(path, reply.data(), -1)));
        }
    }

    /** A request that is not meant for this term, or cannot be read, is void: it must not be carried out later. */
    private void requestRead(@Nullable HandOverRequest request, int version) {
        String own = leading.ownNode().name();
        if (request == null || !request.holder().equals(own) || request.to().equals(own)) {
            var delete = new Request.Delete(step.config.node(HandOverRequest.NODE), version);
            step.send(Purpose.CLEAN_UP, leading.requestId(), delete);
        } else if (request.answer() != Answer.NO_SUCH_CANDIDATE
                && leading.succession().appointing() == null) {
            // If it is accepted already, the reply to that transaction was lost.
            begin(new Appointment(request.to(), request, version, Move.of(MoveCause.REQUESTED, request.to())));
        }
    }

    private void heirRead(Appointment appointment, Command.Send to, Reply reply) {
        HandOverRequest request = appointment.request();
        if (reply.ok()) {
            Move move = appointment.move();
            if (move != null) {
                String id = OneLine.of(CandidateData.parse(reply.data()).id());
                step.state = leading.appointing(appointment.with(move.of(id)));
            }
            List<Request> parts = new ArrayList<>(3);
            if (request != null) {
                parts.add(answer(appointment, request, Answer.ACCEPTED));
            }
            parts.add(touch(to, reply));
            Holding holding = leading.holding();
            byte[] held = holding.record(leading.ownNode().name(), appointment.heir());
            parts.add(new Request.Set(step.config.record(), held, holding.version()));
            step.send(Purpose.APPOINT, leading.requestId(), new Request.Multi(parts));
        } else {
            if (request != null && reply.noNode()) {
                Request answer = answer(appointment, request, Answer.NO_SUCH_CANDIDATE);
                step.send(Purpose.CLEAN_UP, leading.requestId(), answer);
            }
            // The next list, after a change of the queue or a reconnect, shows whether the heir is gone.
            step.state = leading.appointing(null);
        }
    }

    private Request answer(Appointment appointment, HandOverRequest request, Answer answer) {
        byte[] data = request.answer(answer).toJson();
        return new Request.Set(step.config.node(HandOverRequest.NODE), data, appointment.requestVersion());
    }

    private void appointed(Appointment appointment, Reply reply) {
        if (reply.ok()) {
            Holding holding = leading.holding();
            Leading done = leading.appointing(null).with(holding.appointed(appointment.heir()));
            Move move = appointment.move();
            if (move == null) {
                dismiss(holding.heir(), appointment.heir());
                new Appointing(step, done).proceed();
            } else if (move.cause() == MoveCause.REQUESTED) {
                new Appointing(step, done).handOver(move, holding.heir());
            } else {
                step.state = done.appointing(appointment);
                step.emit(
                        new Command.WakeAt(leading.requestId(), step.view.now().nanos() + TIME_TO_FOLLOW));
            }
        } else if (reply.code() == Code.NOAUTH) {
            // The refused appointment is kept, so that no other one is tried in this term.
            step.state = leading.appointing(appointment.with(null));
            step.emit(new Command.Failed(reply.failure("appoint an heir for election " + step.config.path()
                    + ", so a crash may be noticed only when the session ends")));
        } else {
            step.state = leading.appointing(null);
            if (!reply.ambiguous()) {
                step.list(leading.requestId(), true);
                step.readRecord(leading.requestId());
            }
        }
    }

    /**
     * Makes the former heir read the record: until then it observes our heartbeats for nothing. As long as the record
     * names no heir, the candidate that watches our node is the heir.
     */
    private void dismiss(String appointed, String heir) {
        String former = appointed.isEmpty() ? leading.succession().fallback() : appointed;
        if (former != null && !former.equals(heir)) {
            read(Purpose.FORMER_HEIR, former);
        }
    }

    // handing over to a chosen candidate

    /** For spreading; or because the heir has waited for long enough, and still has a higher priority. */
    void byPolicy(MoveCause cause, String to) {
        if (cause == MoveCause.SPREAD && !to.equals(leading.ownNode().name())) {
            appointAndMove(to, cause);
        } else if (cause == MoveCause.PRIORITY && to.equals(leading.succession().heir()) && isSuperior(to)) {
            String least = step.view.receiver().get();
            if (!appointAndMove(least != null && isSuperior(least) ? least : to, cause)) {
                step.emit(new Command.PreemptAt(to, step.view.now().nanos() + BUSY));
            }
        }
    }

    /** Begins the wait of a higher-priority heir, unless it was the heir before. Its node shows when it joined. */
    void preemptLater(@Nullable String before) {
        String heir = leading.succession().heir();
        boolean configured = step.config.preemptAfter() != null;
        if (configured && heir != null && !heir.equals(before) && isSuperior(heir)) {
            read(Purpose.SUPERIOR, heir);
        }
    }

    /** The wait counts from when the candidate joined, even under an earlier leader; if unknown, from now. */
    private void superiorRead(Command.Send to, Reply reply) {
        Duration wait = step.config.preemptAfter();
        if (wait != null && !reply.noNode()) {
            long waited = reply.ok() ? step.view.millisSince(reply.stat().getCtime()) : 0;
            long left = wait.toMillis() - Math.max(0, Math.min(waited, wait.toMillis()));
            String candidate = Paths.name(to.request().path());
            step.emit(new Command.PreemptAt(candidate, step.view.now().nanos() + left * 1_000_000));
        }
    }

    private boolean isSuperior(String candidate) {
        NodeName node = NodeName.parse(candidate).orElse(null);
        return node != null && node.priority() > step.config.priority();
    }

    /** Appoints the candidate first; returns false if an appointment or a request is in progress. */
    private boolean appointAndMove(String to, MoveCause cause) {
        Succession succession = leading.succession();
        boolean free = succession.appointing() == null && !succession.requested();
        if (free) {
            begin(new Appointment(to, null, 0, Move.of(cause, to)));
        }
        return free;
    }

    /** The appointed candidate has had its time to follow. Without a connection, leads until its lease ends. */
    void handOverNow() {
        Succession succession = leading.succession();
        Move move = succession.move();
        if (move != null && leading.holding().heir().equals(move.to())) {
            step.state = leading.appointing(null);
            if (step.view.connected()) {
                handOver(move, succession.fallback());
            }
        }
    }

    /**
     * Hands over once the term has drained. That deletes a request, which shows its author that it was carried out.
     *
     * @param former the former heir, which follows us
     */
    private void handOver(Move move, @Nullable String former) {
        Request request = move.cause() == MoveCause.REQUESTED
                ? new Request.Delete(step.config.node(HandOverRequest.NODE), -1)
                : null;
        HandingOver.Plan plan = leading.succession().planFor(move.to(), former, step.config, request);
        step.revoke(leading, RevocationReason.HANDED_OVER);
        Draining.beginMove(step, leading.appointing(null), move, plan);
    }
}
