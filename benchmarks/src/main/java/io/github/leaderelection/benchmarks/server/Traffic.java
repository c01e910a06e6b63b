package io.github.leaderelection.benchmarks.server;

/** Packets that servers have received from clients and sent to them. */
public record Traffic(long received, long sent) {

    public static final Traffic NONE = new Traffic(0, 0);

    public Traffic plus(Traffic other) {
        return new Traffic(received + other.received, sent + other.sent);
    }

    public Traffic since(Traffic before) {
        return new Traffic(received - before.received, sent - before.sent);
    }
}
