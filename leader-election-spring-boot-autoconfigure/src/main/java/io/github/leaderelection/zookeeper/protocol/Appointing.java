package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.support.MoveCause;
import io.github.leaderelection.support.OneLine;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.Succession.Appointment;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.HandOverRequest;
import io.github.leaderelection.zookeeper.znode.HandOverRequest.Answer;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;

/**
 * How a leader appoints its heir. One transaction writes the heir into the record and touches the heir's node, whose
 * watch wakes it: from then on it follows the leader, observes its heartbeat and keeps its own node proven. For a
 * requested hand-over, the leader appoints that candidate, accepts the request in the same transaction, and leaves.
 */
final class Appointing {

    private Appointing() {}

    /** Begins whatever is left to do; one appointment at a time, since each one changes the record's version. */
    static void proceed(Step step, Leading leading) {
        Succession succession = leading.succession();
        step.state = leading;
        if (succession.next() != null && succession.along().isEmpty()) {
            read(step, leading, Purpose.NEXT, succession.next());
        }
        if (succession.appointing() != null) {
            return;
        }
        if (succession.requested()) {
            read(step, leading, Purpose.REQUEST, HandOverRequest.NODE);
        }
        String heir = succession.heir();
        if (heir != null && !heir.equals(leading.holding().heir())) {
            begin(step, leading, new Appointment(heir, null, 0, null));
        }
    }

    /** Appoints the candidate, then hands over to it; returns false if an appointment or a request is in progress. */
    static boolean move(Step step, Leading leading, String to, MoveCause cause) {
        Succession succession = leading.succession();
        boolean free = succession.appointing() == null && !succession.requested();
        if (free) {
            begin(step, leading, new Appointment(to, null, 0, Move.of(cause, to)));
        }
        return free;
    }

    private static void begin(Step step, Leading leading, Appointment appointment) {
        step.state = leading.with(leading.succession().appointing(appointment));
        read(step, leading, Purpose.HEIR, appointment.heir());
    }

    private static void read(Step step, Leading leading, Purpose purpose, String node) {
        step.send(purpose, leading.requestId(), new Request.Get(step.config.node(node), false));
    }

    static void answered(Step step, Leading leading, Command.Send to, Reply reply) {
        Appointment appointment = leading.succession().appointing();
        switch (to.purpose()) {
            case NEXT -> nextRead(step, leading, to, reply);
            case FORMER_HEIR -> formerHeirRead(step, leading, to, reply);
            case SUPERIOR -> Moving.superiorRead(step, to, reply);
            case REQUEST -> requestRead(step, leading, reply);
            case HEIR -> {
                if (appointment != null) {
                    heirRead(step, leading, appointment, to, reply);
                }
            }
            case APPOINT -> {
                if (appointment != null) {
                    appointed(step, leading, appointment, reply);
                }
            }
            default -> {}
        }
    }

    private static void nextRead(Step step, Leading leading, Command.Send to, Reply reply) {
        String path = to.request().path();
        Succession succession = leading.succession();
        if (reply.ok() && succession.next() != null && path.equals(step.config.node(succession.next()))) {
            step.state = leading.with(succession.along(new Request.Set(path, reply.data(), -1)));
        }
    }

    /**
     * Makes the former heir read the record: until then it observes our heartbeats for nothing. As long as the record
     * names no heir, the candidate that watches our node is the heir.
     */
    private static void dismiss(Step step, Leading leading, String appointed) {
        String former = appointed.isEmpty() ? leading.succession().fallback() : appointed;
        if (former != null && !former.equals(leading.holding().heir())) {
            read(step, leading, Purpose.FORMER_HEIR, former);
        }
    }

    private static void formerHeirRead(Step step, Leading leading, Command.Send to, Reply reply) {
        if (reply.ok()) {
            var touch = new Request.Set(
                    to.request().path(), reply.data(), reply.stat().getVersion());
            step.send(Purpose.CLEAN_UP, leading.requestId(), touch);
        }
    }

    /** A request that is not meant for this term, or cannot be read, is void: it must not be carried out later. */
    private static void requestRead(Step step, Leading leading, Reply reply) {
        if (!reply.ok()) {
            return;
        }
        HandOverRequest request = HandOverRequest.parse(reply.data()).orElse(null);
        int version = reply.stat().getVersion();
        String own = leading.ownNode().name();
        if (request == null || !request.holder().equals(own) || request.to().equals(own)) {
            var delete = new Request.Delete(step.config.node(HandOverRequest.NODE), version);
            step.send(Purpose.CLEAN_UP, leading.requestId(), delete);
        } else if (request.answer() != Answer.NO_SUCH_CANDIDATE
                && leading.succession().appointing() == null) {
            // If it is accepted already, the reply to that transaction was lost.
            Move move = Move.of(MoveCause.REQUESTED, request.to());
            begin(step, leading, new Appointment(request.to(), request, version, move));
        }
    }

    private static void heirRead(Step step, Leading leading, Appointment appointment, Command.Send to, Reply reply) {
        if (reply.ok()) {
            Move move = appointment.move();
            if (move != null) {
                String id = OneLine.of(CandidateData.parse(reply.data()).id());
                step.state = leading.with(leading.succession().appointing(appointment.with(move.of(id))));
            }
            List<Request> parts = new ArrayList<>(3);
            if (appointment.request() != null) {
                parts.add(answer(step, appointment, appointment.request(), Answer.ACCEPTED));
            }
            parts.add(new Request.Set(
                    to.request().path(), reply.data(), reply.stat().getVersion()));
            Holding holding = leading.holding();
            byte[] held =
                    holding.record(leading.ownNode().name(), appointment.heir()).toJson();
            parts.add(new Request.Set(step.config.record(), held, holding.version()));
            step.send(Purpose.APPOINT, leading.requestId(), new Request.Multi(parts));
        } else {
            if (appointment.request() != null && reply.noNode()) {
                Request answer = answer(step, appointment, appointment.request(), Answer.NO_SUCH_CANDIDATE);
                step.send(Purpose.CLEAN_UP, leading.requestId(), answer);
            }
            // The next list, after a change of the queue or a reconnect, shows whether the heir is gone.
            step.state = leading.with(leading.succession().appointing(null));
        }
    }

    private static Request answer(Step step, Appointment appointment, HandOverRequest request, Answer answer) {
        byte[] data = request.answer(answer).toJson();
        return new Request.Set(step.config.node(HandOverRequest.NODE), data, appointment.requestVersion());
    }

    private static void appointed(Step step, Leading leading, Appointment appointment, Reply reply) {
        Leading free = leading.with(leading.succession().appointing(null));
        if (reply.ok()) {
            Leading done = free.with(free.holding().appointed(appointment.heir()));
            if (appointment.move() != null && appointment.request() == null) {
                Moving.handOverSoon(step, done.with(done.succession().appointing(appointment)));
            } else if (appointment.move() != null) {
                step.state = done;
                Moving.handOver(
                        step, done, appointment.move(), leading.holding().heir());
            } else {
                dismiss(step, done, leading.holding().heir());
                proceed(step, done);
            }
        } else if (reply.code() == Code.NOAUTH) {
            // The refused appointment is kept, so that no other one is tried in this term.
            step.state = leading.with(leading.succession().appointing(appointment.with(null)));
            step.emit(new Command.Failed(reply.failure("appoint an heir for election " + step.config.path()
                    + ", so a crash may be noticed only when the session ends")));
        } else {
            step.state = free;
            if (!reply.ambiguous()) {
                step.list(leading.requestId(), true);
                step.readRecord(leading.requestId());
            }
        }
    }
}
