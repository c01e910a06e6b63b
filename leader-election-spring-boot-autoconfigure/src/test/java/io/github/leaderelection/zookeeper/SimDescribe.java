package io.github.leaderelection.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** Signals, stages and commands in few words. */
final class SimDescribe {

    private SimDescribe() {}

    static String signal(Signal signal) {
        if (signal instanceof Signal.Replied replied) {
            return "%s #%d answered %s %s"
                    .formatted(
                            replied.to().about(),
                            replied.to().flight(),
                            replied.reply().code(),
                            reply(replied.reply()));
        }
        return signal.toString();
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

    static String stage(Stage stage) {
        String name = stage.getClass().getSimpleName();
        if (stage instanceof Stage.Leaving leaving) {
            return "%s %s then %s, %s"
                    .formatted(
                            name,
                            leaving.phase(),
                            leaving.then(),
                            leaving.candidacy().guid());
        } else if (stage instanceof Stage.Seated seated) {
            Seat seat = seated.seat();
            return "%s %s%s%s%s"
                    .formatted(
                            name,
                            seat.node(),
                            seat.armed() ? " armed" : "",
                            seat.earned() == null
                                    ? ""
                                    : " earned " + seat.earned().nanos() / 1_000_000,
                            stage instanceof Stage.Following following ? " after " + following.predecessor() : "");
        }
        return name;
    }

    static String command(Command command) {
        if (command instanceof Command.Send send) {
            return "%s #%d %s".formatted(send.about(), send.flight(), request(send.request()));
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
