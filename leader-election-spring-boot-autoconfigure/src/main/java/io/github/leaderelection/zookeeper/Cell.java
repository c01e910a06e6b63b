package io.github.leaderelection.zookeeper;

/** One election in the engine's care. Confined to the loop. */
final class Cell {

    private final Outlet outlet;
    private Ballot ballot;
    private long recheckAt;
    private int queueLength;

    Cell(Ballot ballot, Outlet outlet) {
        this.ballot = ballot;
        this.outlet = outlet;
    }

    String path() {
        return ballot.setting().path();
    }

    Outlet outlet() {
        return outlet;
    }

    Ballot ballot() {
        return ballot;
    }

    void ballot(Ballot next) {
        ballot = next;
        outlet.published(next);
    }

    long recheckAt() {
        return recheckAt;
    }

    void recheckAt(long nanos) {
        recheckAt = nanos;
    }

    /** How many nodes there were in it when they were last listed, candidates or not; 0 before that. */
    int queueLength() {
        return queueLength;
    }

    /** Takes note of what an answer tells, whatever becomes of it. */
    void replied(Signal.Replied replied) {
        if (replied.to().about() == Command.About.LIST && replied.reply().ok()) {
            queueLength = replied.reply().children().size();
        }
    }
}
