package io.github.leaderelection.zookeeper.simulation;

/** When a process has sent heartbeats, when they were answered, and since when it could send one. */
final class SimBeats {

    private long sentAt;
    private long answeredAt;
    private long ableSince;
    private int unanswered;

    void sent(long now) {
        sentAt = now;
        unanswered++;
    }

    void answered(long now) {
        answeredAt = now;
        unanswered--;
    }

    /** The process runs again, or is connected again. */
    void resumed(long now) {
        ableSince = now;
    }

    /** Whether it has not sent any heartbeat for so long, although it could, and none is unanswered. */
    boolean silentFor(long duration, long now) {
        return unanswered == 0 && now - Math.max(ableSince, Math.max(sentAt, answeredAt)) > duration;
    }
}
