package io.github.leaderelection.zookeeper.protocol;

/** Leaving, but without a connection, or pausing after a refusal. */
public record Parked(Departure departure, long requestId) implements Leaving {

    @Override
    public Parked with(Departure departure) {
        return new Parked(departure, requestId);
    }

    @Override
    public void connected(Step step) {
        Inspecting.begin(step, departure);
    }

    @Override
    public void woken(Step step) {
        if (step.view.connected()) {
            Inspecting.begin(step, departure);
        }
    }
}
