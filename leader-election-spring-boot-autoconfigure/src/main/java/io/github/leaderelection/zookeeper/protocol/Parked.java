package io.github.leaderelection.zookeeper.protocol;

/** Leaving, but without a connection, or pausing after a refusal. */
public record Parked(Departure departure, long requestId) implements Leaving {

    @Override
    public Parked with(Departure departure) {
        return new Parked(departure, requestId);
    }
}
