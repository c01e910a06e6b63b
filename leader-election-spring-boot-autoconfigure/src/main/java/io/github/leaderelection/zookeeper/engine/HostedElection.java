package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.CandidateNode;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Following;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Leaving;
import io.github.leaderelection.zookeeper.protocol.Queued;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One election of the engine's: takes its events to the protocol, and carries out the commands that come of them. Confined to
 * the loop.
 */
public final class HostedElection implements Command.Target, ReadBatcher.Reader {

    private static final Logger log = LoggerFactory.getLogger(HostedElection.class);

    private final Engine engine;
    private final ElectionCallbacks callbacks;
    private ElectionState election;
    private long recheckAt;
    private int queueLength;
    /** The other candidates of the highest priority, as long as this one leads; empty if elections are not spread. */
    private List<NodeName> listed = List.of();

    private List<NodeName> peers = List.of();

    HostedElection(Engine engine, ElectionState election, ElectionCallbacks callbacks) {
        this.engine = engine;
        this.election = election;
        this.callbacks = callbacks;
    }

    String path() {
        return election.config().path();
    }

    public ElectionState election() {
        return election;
    }

    /** The node that this election has in ZooKeeper, as far as is known. */
    @Nullable
    CandidateNode node() {
        if (election.state() instanceof Queued queued) {
            return queued.ownNode();
        }
        return election.state() instanceof Leaving leaving ? leaving.departure().ownNode() : null;
    }

    List<NodeName> peers() {
        return peers;
    }

    /** Whether the others have no higher and no lower priority than this candidate. */
    boolean hasEqualPeers() {
        return !peers.isEmpty() && peers.get(0).priority() == election.config().priority();
    }

    /** When the present term began, by the wall clock. */
    long leadsSince() {
        return election.leading().map(Leading::since).orElse(0L);
    }

    long recheckAt() {
        return recheckAt;
    }

    void recheckAt(long nanos) {
        recheckAt = nanos;
    }

    @Override
    public int queueLength() {
        return queueLength;
    }

    @Override
    public void handle(Event event) {
        try {
            for (Command command : step(event)) {
                execute(command);
            }
            engine.vacating.endIfVacated();
        } catch (Throwable bug) {
            report(event, bug);
        }
    }

    private List<Command> step(Event event) {
        ElectionState before = election;
        StateMachine.Outcome outcome = engine.protocol.apply(before, event, engine.view(this));
        election = outcome.election();
        publish(event);
        engine.observedHeartbeats.replace(before.observedHeartbeat(), election.observedHeartbeat());
        engine.heirConnections.replace(before.heirConnection(), election.heirConnection());
        int more = Boolean.compare(election.holds(), before.holds());
        engine.leaseTimer.follow(this, more);
        if (engine.spreader != null) {
            List<NodeName> peersBefore = peers;
            listed = listedAfter(event);
            peers = election.state() instanceof Leading ? listed : List.of();
            engine.spreader.follow(this, peersBefore, more > 0);
        }
        return outcome.commands();
    }

    /** What the last list has shown; kept from the evaluation on, since a leader that is back need not list again. */
    private List<NodeName> listedAfter(Event event) {
        if (!(election.state() instanceof Queued queued) || queued instanceof Following) {
            return List.of();
        }
        if (!(event instanceof Event.Replied replied)
                || replied.to().purpose() != Command.Purpose.LIST
                || !replied.reply().ok()) {
            return listed;
        }
        String own = NodeName.connection(queued.candidacy().guid());
        return CandidateQueue.of(replied.reply().children(), 0).highestOfOthers(own);
    }

    private void publish(Event event) {
        try {
            callbacks.published(election);
            if (event instanceof Event.Replied replied && replied.reply().ok()) {
                report(replied.to(), replied.reply());
            }
        } catch (Throwable bug) {
            report(event, bug);
        }
    }

    /** What a reply shows beyond what the protocol asked for. */
    private void report(Command.Send to, Reply reply) {
        switch (to.purpose()) {
            case LIST -> queueLength = reply.children().size();
            case RECORD, INHERITED_RECORD -> LeaderRecord.parse(reply.data()).ifPresent(callbacks::recordRead);
            case PREDECESSOR, HEIR ->
                callbacks.candidateRead(Paths.name(to.request().path()), CandidateData.parse(reply.data()));
            default -> {}
        }
    }

    /** A command that fails does not keep the others from being carried out: nothing would ask for them again. */
    private void execute(Command command) {
        try {
            command.execute(this);
        } catch (Throwable bug) {
            report(command, bug);
        }
    }

    /** A failure of one election does not affect the others. An Error neither: a container may be out of threads. */
    private void report(Object cause, Throwable bug) {
        String message = "Unexpected failure of the election at " + path() + " ("
                + cause.getClass().getSimpleName() + ")";
        log.error(message, bug);
        callbacks.failed(new ElectionException(message, bug));
    }

    // commands

    @Override
    public ElectionCallbacks callbacks() {
        return callbacks;
    }

    @Override
    public void send(Command.Send send) {
        engine.client().send(send.request(), reply -> handle(new Event.Replied(send, reply)));
    }

    @Override
    public void readTogether(List<Command.Send> reads, boolean urgent) {
        if (urgent) {
            engine.batcher.sendAlone(this, reads);
        } else {
            engine.batcher.add(this, reads);
        }
    }

    @Override
    public void sendHeartbeat() {
        engine.heartbeat.ensure(engine.leaseTimer.interval());
    }

    @Override
    public void sightAgain(String heartbeat) {
        engine.observedHeartbeats.sightAgain(heartbeat);
    }

    @Override
    public void deleteOrphan(String node) {
        if (!engine.elections.isOfAnother(this, NodeName.guid(node))) {
            send(new Command.Send(
                    Command.Purpose.CLEAN_UP,
                    0,
                    new Request.Delete(election.config().node(node), -1)));
        }
    }

    @Override
    public void wakeAt(long requestId, long nanos) {
        engine.timers.at(nanos, () -> wake(requestId));
    }

    @Override
    public void preemptAt(String candidate, long nanos) {
        engine.timers.at(nanos, () -> handle(new Event.Preempt(candidate)));
    }

    @Override
    public void sendWhenThereIsRoom(Command.Send send) {
        engine.throttle.whenThereIsRoom(() -> send(send));
    }

    @Override
    public void wakeWhenThereIsRoom(long requestId) {
        if (!engine.vacating.isUnderWay()) {
            engine.throttle.whenThereIsRoom(() -> wake(requestId));
        }
    }

    private void wake(long requestId) {
        handle(new Event.Woken(requestId));
    }

    @Override
    public void deleteEndedElection() {
        engine.delete(
                path(), true, () -> handle(new Event.Cleared(null)), refusal -> handle(new Event.Cleared(refusal)));
    }
}
