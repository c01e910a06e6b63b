package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Moment;
import io.github.leaderelection.zookeeper.protocol.State;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One election of the engine: passes its events to the protocol and carries out the resulting commands. Confined to the
 * loop.
 */
public final class HostedElection implements ReadBatcher.Reader {

    private static final Logger log = LoggerFactory.getLogger(HostedElection.class);

    private final Engine engine;
    private final ElectionCallbacks callbacks;
    private ElectionState election;
    /** The one that was open at this path before and is still leaving, for {@link HostedElections}. */
    @Nullable
    HostedElection before;

    private long checkAt;
    private long wakeAt;
    /** The request that waits for that time. */
    private long wakeFor = State.NO_REQUEST;

    private int queueLength;

    HostedElection(Engine engine, ElectionState election, ElectionCallbacks callbacks) {
        this.engine = engine;
        this.election = election;
        this.callbacks = callbacks;
        this.checkAt = engine.electionTimer.nextCheck();
    }

    String path() {
        return election.config().path();
    }

    public ElectionState election() {
        return election;
    }

    /** When the present term began, by the wall clock. */
    long leadsSince() {
        return election.leading().map(Leading::since).orElse(0L);
    }

    @Override
    public int queueLength() {
        return queueLength;
    }

    /** What the engine keeps track of can wait until the commands are carried out: a hand-over is under way. */
    @Override
    public void handle(Event event) {
        try {
            ElectionState before = election;
            StateMachine.Outcome outcome = engine.protocol.apply(before, event, engine.view(this));
            election = outcome.election();
            publish(event);
            engine.observedHeartbeats.replace(before.observedHeartbeat(), election.observedHeartbeat());
            for (Command command : outcome.commands()) {
                execute(command);
            }
            follow(before, event);
        } catch (Throwable bug) {
            report(event, bug);
        }
    }

    /** When {@link ElectionTimer} has to bring this election back, by the monotonic clock. */
    long dueAt() {
        long due = wakeFor != State.NO_REQUEST && wakeAt - checkAt < 0 ? wakeAt : checkAt;
        return election.state() instanceof Leading leading && leading.leaseEnd() - due < 0 ? leading.leaseEnd() : due;
    }

    void handleWhatIsDue() {
        Moment now = engine.clock.now();
        if (election.state() instanceof Leading leading && !leading.isValid(now)) {
            handle(new Event.Lapsed(leading.term()));
        }
        long waiting = wakeFor;
        if (waiting != State.NO_REQUEST && now.nanos() - wakeAt >= 0) {
            wakeFor = State.NO_REQUEST;
            handle(new Event.Woken(waiting));
        }
        if (now.nanos() - checkAt >= 0) {
            checkAt = engine.electionTimer.nextCheck();
            handle(new Event.Recheck());
        }
    }

    private void follow(ElectionState before, Event event) {
        engine.heirConnections.replace(before.heir(), election.heir());
        int more = Boolean.compare(election.holds(), before.holds());
        engine.heartbeatTimer.follow(this, more);
        engine.electionTimer.set(this);
        if (engine.spreader != null) {
            engine.spreader.follow(this, event, more > 0);
        }
        engine.vacating.endIfVacated();
    }

    private void publish(Event event) {
        try {
            callbacks.published(election);
            if (event instanceof Event.Replied replied && replied.reply().ok()) {
                learn(replied.to(), replied.reply());
            }
        } catch (Throwable bug) {
            report(event, bug);
        }
    }

    /** What a reply shows beyond what the protocol asked for. */
    private void learn(Command.Send to, Reply reply) {
        switch (to.purpose()) {
            case LIST -> {
                queueLength = reply.children().size();
                engine.formerConnections.deleteNodes(path(), reply.children());
            }
            case RECORD -> LeaderRecord.parse(reply.data()).ifPresent(callbacks::recordRead);
            case PREDECESSOR, HEIR ->
                callbacks.candidateRead(Paths.name(to.request().path()), CandidateData.parse(reply.data()));
            default -> {}
        }
    }

    /** A failing command does not prevent the others, which would not be emitted again. */
    private void execute(Command command) {
        try {
            carryOut(command);
        } catch (Throwable bug) {
            report(command, bug);
        }
    }

    /** A failure of one election does not affect the others, not even an Error: a container may be out of threads. */
    private void report(Object cause, Throwable bug) {
        String message = "Unexpected failure of the election at " + path() + " ("
                + cause.getClass().getSimpleName() + ")";
        log.error(message, bug);
        callbacks.failed(new ElectionException(message, bug));
    }

    // commands

    private void carryOut(Command command) {
        if (command instanceof Command.Send send) {
            send(send);
        } else if (command instanceof Command.ReadTogether together) {
            if (together.urgent()) {
                engine.batcher.sendAlone(this, together.reads());
            } else {
                engine.batcher.add(this, together.reads());
            }
        } else if (command instanceof Command.SendHeartbeat) {
            engine.heartbeat.ensure(engine.heartbeatTimer.interval());
        } else if (command instanceof Command.SightAgain again) {
            engine.observedHeartbeats.sightAgain(again.heartbeat());
        } else if (command instanceof Command.DeleteOrphan orphan) {
            deleteOrphan(orphan.node());
        } else if (command instanceof Command.WakeAt wake) {
            wakeAt = wake.nanos();
            wakeFor = wake.requestId();
        } else if (command instanceof Command.PreemptAt preempt) {
            engine.timers.at(preempt.nanos(), () -> handle(new Event.Preempt(preempt.candidate())));
        } else if (command instanceof Command.SendWhenThereIsRoom later) {
            engine.throttle.afterCandidates(() -> send(later.send()));
        } else if (command instanceof Command.WakeWhenThereIsRoom wake) {
            if (!engine.vacating.isUnderWay()) {
                engine.throttle.whenThereIsRoom(() -> handle(new Event.Woken(wake.requestId())));
            }
        } else if (command instanceof Command.DeleteEndedElection) {
            var unused = engine.delete(
                    path(), true, () -> handle(new Event.Cleared(null)), refusal -> handle(new Event.Cleared(refusal)));
        } else {
            tell(command);
        }
    }

    private void send(Command.Send send) {
        engine.client.send(send.request(), new ReplyHandler(this, send));
    }

    private record ReplyHandler(HostedElection hosted, Command.Send send) implements Consumer<Reply> {
        @Override
        public void accept(Reply reply) {
            hosted.handle(new Event.Replied(send, reply));
        }
    }

    private void deleteOrphan(String node) {
        if (!engine.elections.isOfAnother(this, NodeName.guid(node))) {
            var delete = new Request.Delete(election.config().node(node), -1);
            send(new Command.Send(Command.Purpose.CLEAN_UP, 0, delete));
        }
    }

    private void tell(Command command) {
        if (command instanceof Command.Granted granted) {
            callbacks.granted(granted.term());
        } else if (command instanceof Command.Revoked revoked) {
            callbacks.revoked(revoked.term(), revoked.reason(), revoked.endedAt());
        } else if (command instanceof Command.TookOver) {
            callbacks.tookOver();
        } else if (command instanceof Command.Moved moved) {
            callbacks.moved(moved.move());
        } else if (command instanceof Command.Drain drain) {
            callbacks.drain(drain.term());
        } else if (command instanceof Command.Left left) {
            callbacks.left(left.confirmed());
        } else if (command instanceof Command.Ended) {
            callbacks.ended();
        } else if (command instanceof Command.Failed failed) {
            callbacks.failed(failed.cause());
        } else {
            throw new IllegalArgumentException("Not a command of the protocol: " + command);
        }
    }
}
