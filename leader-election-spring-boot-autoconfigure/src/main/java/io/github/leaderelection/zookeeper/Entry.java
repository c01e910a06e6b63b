package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.zookeeper.Command.About;
import io.github.leaderelection.zookeeper.Stage.Awaiting;
import io.github.leaderelection.zookeeper.Stage.Detached;
import io.github.leaderelection.zookeeper.Stage.Evaluating;
import io.github.leaderelection.zookeeper.Stage.Joining;
import io.github.leaderelection.zookeeper.Stage.Joining.Making;
import io.github.leaderelection.zookeeper.Stage.Recovering;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** The rules of getting into the queue, also where the answer to the create is lost. */
final class Entry {

    private Entry() {}

    static void joinWhenConnected(Turn turn) {
        if (!turn.view.connected()) {
            turn.stage = new Awaiting(0, Awaiting.strays(turn.stage));
        } else if (!turn.view.hasRoom()) {
            turn.stage = new Awaiting(turn.waitForRoom(), Awaiting.strays(turn.stage));
        } else {
            create(turn, new Candidacy(turn.view.guids().get(), turn.view.session()), Making.NOTHING);
        }
    }

    /** Creates the node and looks at once where it stands; all in one go. */
    private static void create(Turn turn, Candidacy candidacy, Making making) {
        Ballot.Setting setting = turn.setting;
        long flight = turn.nextFlight();
        turn.stage = new Joining(candidacy, flight, making, null);
        for (String path : missing(setting.path(), making)) {
            turn.send(About.PATH, flight, new Request.Create(path, Request.NO_DATA, CreateMode.PERSISTENT));
        }
        byte[] data = new CandidateData(setting.id(), setting.metadata(), turn.view.beat()).toJson();
        String prefix = setting.node(NodeName.prefix(candidacy.guid()));
        turn.send(About.CREATE, flight, new Request.Create(prefix, data, CreateMode.EPHEMERAL_SEQUENTIAL));
        if (making == Making.NOTHING) {
            turn.look(flight);
        } else {
            // A new election has no record; whether there can have been an earlier one, its node and its parent tell.
            turn.look(flight, setting.path(), Paths.parent(setting.path()));
        }
    }

    private static List<String> missing(String path, Making making) {
        return switch (making) {
            case NOTHING -> List.of();
            case ELECTION -> List.of(path);
            case ANCESTORS -> Paths.fromTop(path);
        };
    }

    static void joining(Turn turn, Joining joining, Command.Send to, Reply reply) {
        if (to.about() == About.PATH && !reply.ok() && reply.code() != Code.NODEEXISTS) {
            String obstacle = to.request().path() + ": " + Explain.code(reply.code());
            turn.stage = new Joining(joining.candidacy(), joining.flight(), joining.making(), obstacle);
        } else if (to.about() == About.CREATE) {
            created(turn, joining, reply);
        }
    }

    private static void created(Turn turn, Joining joining, Reply reply) {
        if (reply.ok()) {
            Seat seat = Seat.of(reply.path(), joining.candidacy().session(), reply.stat(), false);
            turn.stage = Evaluating.of(seat, joining.flight());
        } else if (reply.ambiguous()) {
            turn.stage = new Recovering(joining.candidacy(), 0, null);
        } else if (reply.noNode() && turn.setting.createPaths() && joining.making() != Making.ANCESTORS) {
            boolean first = joining.making() == Making.NOTHING;
            create(turn, joining.candidacy(), first ? Making.ELECTION : Making.ANCESTORS);
        } else {
            giveUpForNow(turn, explain(turn.setting, joining, reply));
        }
    }

    private static ElectionException explain(Ballot.Setting setting, Joining joining, Reply reply) {
        if (!reply.noNode()) {
            return new ElectionException("Cannot create a candidate's node under %s: %s"
                    .formatted(setting.path(), Explain.code(reply.code())));
        }
        if (!setting.createPaths()) {
            return new ElectionNotFoundException(
                    "There is no election node %s, and it is not to be created (create-paths)"
                            .formatted(setting.path()));
        }
        String obstacle = joining.obstacle() != null ? joining.obstacle() : "somebody deletes it";
        return new ElectionException("Cannot create the election node %s (%s)".formatted(setting.path(), obstacle));
    }

    static void giveUpForNow(Turn turn, ElectionException cause) {
        turn.fail(cause);
        long flight = turn.nextFlight();
        turn.stage = new Awaiting(flight);
        turn.pause(flight);
    }

    /** Looks for a node of ours whose create was not answered. */
    static void recover(Turn turn, Candidacy candidacy) {
        long flight = turn.nextFlight();
        turn.stage = new Recovering(candidacy, flight, null);
        turn.settle(flight);
        turn.list(flight, false);
    }

    static void recovering(Turn turn, Recovering recovering, Command.Send to, Reply reply) {
        Candidacy candidacy = recovering.candidacy();
        if (to.about() == About.LIST && (reply.ok() || reply.noNode())) {
            Listing listing = turn.listed(to, reply);
            List<String> mine = listing.withGuid(candidacy.guid());
            if (mine.isEmpty()) {
                create(turn, candidacy, Making.NOTHING);
            } else {
                String node = mine.get(0);
                turn.deleteTwins(candidacy, listing, node);
                turn.stage = new Recovering(candidacy, recovering.flight(), node);
                turn.send(About.OWN, recovering.flight(), new Request.Get(turn.setting.node(node), true));
            }
        } else if (to.about() == About.OWN && recovering.found() != null) {
            if (reply.ok() && reply.stat().getEphemeralOwner() == candidacy.session()) {
                Seat seat = Seat.of(to.request().path(), candidacy.session(), reply.stat(), true);
                Campaign.evaluate(turn, new Detached(seat, 0, null));
            } else if (reply.ok() || reply.noNode()) {
                joinWhenConnected(turn);
            } else {
                turn.tryAgainLater(recovering, recovering.flight(), to, reply);
            }
        } else if (to.about() == About.LIST) {
            turn.tryAgainLater(recovering, recovering.flight(), to, reply);
        }
    }
}
