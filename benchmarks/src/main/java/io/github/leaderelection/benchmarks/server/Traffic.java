package io.github.leaderelection.benchmarks.server;

/** What servers have counted: packets from and to clients, and the watches that are set. */
public record Traffic(long received, long sent, long watches) {

    static final Traffic NONE = new Traffic(0, 0, 0);

    Traffic plus(Traffic other) {
        return new Traffic(received + other.received, sent + other.sent, watches + other.watches);
    }

    /** What came since; the watches are those of now. */
    public Traffic since(Traffic before) {
        return new Traffic(received - before.received, sent - before.sent, watches);
    }
}
