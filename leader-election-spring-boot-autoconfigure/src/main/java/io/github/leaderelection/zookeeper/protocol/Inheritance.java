package io.github.leaderelection.zookeeper.protocol;

/**
 * What the heir needs in order to take over from a holder that has fallen silent.
 *
 * @param claim of the record that makes it the heir
 * @param lease the holder's, in milliseconds
 */
public record Inheritance(Claim claim, long lease) {

    /** R11: 1.1 times the lease, since clock rates may differ by 10 %. R10: the record's lease, not our own. */
    long leaseOver(long lastSeen) {
        return lastSeen + lease * 1_100_000;
    }
}
