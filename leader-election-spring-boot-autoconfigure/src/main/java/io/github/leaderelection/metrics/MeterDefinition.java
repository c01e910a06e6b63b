package io.github.leaderelection.metrics;

/** All meters, with what they mean. */
enum MeterDefinition {
    LEADER("election.leader", "Whether this instance leads the election"),
    CANDIDATES("election.candidates", "Number of candidates when they were last listed"),
    CONNECTED("election.connected", "Whether there is a connection to ZooKeeper"),
    LEASE_REMAINING("election.lease.remaining", "Time for which this instance leads without another renewal"),
    TRANSITIONS("election.transitions", "Number of times that leadership was granted or revoked"),
    LEADERSHIP("election.leadership", "Time for which this instance has been leading"),
    HANDOVER("election.handover", "Time from the predecessor's end to leadership"),
    INVOCATIONS("election.invocations", "Number of calls of leader-only methods"),
    DRAIN_OVERRUNS("election.drain.overruns", "Number of hand-overs that did not wait any longer for work to end"),
    ERRORS("election.errors", "Number of times that something kept the election from going on");

    private final String id;
    private final String description;

    MeterDefinition(String id, String description) {
        this.id = id;
        this.description = description;
    }

    String id() {
        return id;
    }

    String description() {
        return description;
    }
}
