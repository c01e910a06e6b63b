package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.CandidateNode;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Following;
import io.github.leaderelection.zookeeper.protocol.Leaving;
import io.github.leaderelection.zookeeper.protocol.Queued;
import io.github.leaderelection.zookeeper.protocol.State;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** Short descriptions of events, states and commands for the trace. */
final class SimDescribe {

    private SimDescribe() {}

    static String event(Event event) {
        if (event instanceof Event.Replied replied) {
            return "%s #%d answered %s %s"
                    .formatted(
                            replied.to().purpose(),
                            replied.to().requestId(),
                            replied.reply().code(),
                            reply(replied.reply()));
        }
        return event.toString();
    }

    private static String reply(Reply reply) {
        if (!reply.ok()) {
            return "";
        }
        String data = new String(reply.data(), StandardCharsets.UTF_8);
        return "%s%s%s czxid=%d mzxid=%d version=%d"
                .formatted(
                        reply.path(),
                        data,
                        reply.children(),
                        reply.stat().getCzxid(),
                        reply.stat().getMzxid(),
                        reply.stat().getVersion());
    }

    static String state(State state) {
        String name = state.getClass().getSimpleName();
        if (state instanceof Leaving leaving) {
            return "%s then %s, %s"
                    .formatted(
                            name,
                            leaving.then(),
                            leaving.departure().candidacy().guid());
        } else if (state instanceof Queued queued) {
            CandidateNode ownNode = queued.ownNode();
            return "%s %s%s%s%s"
                    .formatted(
                            name,
                            ownNode.name(),
                            ownNode.armed() ? " armed" : "",
                            ownNode.provenAt() == null
                                    ? ""
                                    : " proven at " + ownNode.provenAt().nanos() / 1_000_000,
                            state instanceof Following following ? " after " + following.predecessor() : "");
        }
        return name;
    }

    static String command(Command command) {
        if (command instanceof Command.Send send) {
            return "%s #%d %s".formatted(send.purpose(), send.requestId(), request(send.request()));
        }
        return command.toString();
    }

    static String request(Request request) {
        if (request instanceof Request.Multi multi) {
            return multi.parts().stream().map(SimDescribe::request).collect(Collectors.joining(", ", "Multi(", ")"));
        } else if (request instanceof Request.Set set) {
            return "Set(%s, %s, %d)"
                    .formatted(set.path(), new String(set.data(), StandardCharsets.UTF_8), set.version());
        } else if (request instanceof Request.Create create) {
            return "Create(%s, %s)".formatted(create.path(), new String(create.data(), StandardCharsets.UTF_8));
        }
        return request.toString();
    }
}
