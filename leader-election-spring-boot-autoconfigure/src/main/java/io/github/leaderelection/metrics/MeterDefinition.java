package io.github.leaderelection.metrics;

/** Name and description of each meter. */
enum MeterDefinition {
    LEADER("election.leader", "Whether this instance leads the election"),
    CANDIDATES("election.candidates", "Number of candidates when they were last listed"),
    CONNECTED("election.connected", "Whether this instance is connected to ZooKeeper"),
    LEASE_REMAINING("election.lease.remaining", "Time for which this instance leads without another renewal"),
    TRANSITIONS("election.transitions", "Number of times that leadership was granted or revoked"),
    LEADERSHIP("election.leadership", "Time for which this instance has been leading"),
    HANDOVER("election.handover", "Time from the end of the predecessor to leadership"),
    LED("election.led", "Number of elections that this instance leads"),
    MOVES("election.moves", "Number of times that this instance handed leadership to a candidate that was chosen"),
    TAKEOVERS("election.takeovers", "Number of times that leadership was taken from a leader that had fallen silent"),
    INVOCATIONS("election.invocations", "Number of calls of leader-only methods"),
    DRAIN_OVERRUNS("election.drain.overruns", "Number of terms that were not drained within the drain timeout"),
    ERRORS("election.errors", "Number of errors that prevented the election from making progress"),
    WORK("election.work", "Whether what is annotated with @WhileLeader is running"),
    WORK_OVERRUNS("election.work.overruns", "Number of times that it exceeded the drain timeout");

    private final String meterName;
    private final String description;

    MeterDefinition(String meterName, String description) {
        this.meterName = meterName;
        this.description = description;
    }

    String meterName() {
        return meterName;
    }

    String description() {
        return description;
    }
}
