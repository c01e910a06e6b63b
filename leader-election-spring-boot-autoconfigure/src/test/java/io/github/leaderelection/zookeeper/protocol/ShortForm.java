package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.HandOverRequest;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.stream.Collectors;

/** Commands as short text: what is sent for which purpose, what is written, and how long a wait is. */
final class ShortForm {

    private ShortForm() {}

    static String of(Command command) {
        if (command instanceof Command.Send send) {
            return send.purpose() + " " + of(send.request());
        } else if (command instanceof Command.ReadTogether together) {
            return (together.urgent() ? "" : "at leisure ")
                    + together.reads().stream().map(ShortForm::of).collect(Collectors.joining(" + "));
        } else if (command instanceof Command.SendWhenThereIsRoom later) {
            return "when there is room " + of(later.send());
        } else if (command instanceof Command.WakeAt wake) {
            return "Wake +" + (wake.nanos() - Fixture.NOW.nanos()) / 1_000_000 + "ms";
        } else if (command instanceof Command.Granted granted) {
            return "Granted " + granted.term();
        } else if (command instanceof Command.Revoked revoked) {
            long ago = Fixture.NOW.millis() - revoked.endedAt();
            return "Revoked " + revoked.term() + " " + revoked.reason() + (ago == 0 ? "" : " " + ago + "ms ago");
        } else if (command instanceof Command.Drain drain) {
            return "Drain " + drain.term();
        } else if (command instanceof Command.PreemptAt preempt) {
            return "PreemptAt " + preempt.candidate() + " +" + (preempt.nanos() - Fixture.NOW.nanos()) / 1_000_000
                    + "ms";
        } else if (command instanceof Command.Moved moved) {
            Move move = moved.move();
            return "Moved " + move.cause() + " " + move.to() + " " + move.candidateId();
        } else if (command instanceof Command.Left left) {
            return "Left " + (left.confirmed() ? "confirmed" : "unconfirmed");
        } else if (command instanceof Command.SightAgain again) {
            return "SightAgain " + Paths.name(again.heartbeat());
        } else if (command instanceof Command.DeleteOrphan orphan) {
            return "DeleteOrphan " + orphan.node();
        } else if (command instanceof Command.Failed failed) {
            return "Failed " + failed.cause().getClass().getSimpleName();
        }
        return command.getClass().getSimpleName();
    }

    private static String of(Request request) {
        String text = request.getClass().getSimpleName() + " " + Paths.name(request.path());
        if (request instanceof Request.Multi multi) {
            return multi.parts().stream().map(ShortForm::of).collect(Collectors.joining(", ", "Multi(", ")"));
        } else if (request instanceof Request.Create create) {
            return text + " " + create.mode() + written(create.data());
        } else if (request instanceof Request.Set set) {
            return text + " v" + set.version() + written(set.data());
        } else if (request instanceof Request.Delete delete) {
            return delete.version() == -1 ? text : text + " v" + delete.version();
        } else if (request instanceof Request.Check check) {
            return check.version() == -1 ? text : text + " v" + check.version();
        } else if (request instanceof Request.RemoveWatches watches) {
            return watches.persistent() ? text + " persistent" : text;
        } else if (request instanceof Request.Get get) {
            return get.watch() ? text + " watch" : text;
        } else if (request instanceof Request.Children children) {
            return children.watch() ? text + " watch" : text;
        }
        return text;
    }

    /** A record as its state, holder, heir, token and lease; a request to hand over as its answer; nothing for other data. */
    private static String written(byte[] data) {
        return HandOverRequest.parse(data)
                .map(request -> " " + request.answer())
                .or(() -> LeaderRecord.parse(data).map(ShortForm::of))
                .orElse("");
    }

    private static String of(LeaderRecord record) {
        return " %s%s%s %d %d%s%s"
                .formatted(
                        record.state(),
                        record.holder().isEmpty() ? "" : " " + record.holder(),
                        record.heir().isEmpty() ? "" : " heir " + record.heir(),
                        record.token(),
                        record.lease(),
                        record.requested() ? " requested" : "",
                        record.acknowledged() ? " acknowledged" : "");
    }
}
