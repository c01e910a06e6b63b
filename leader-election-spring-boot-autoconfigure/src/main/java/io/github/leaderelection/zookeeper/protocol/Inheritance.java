package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.znode.LeaderRecord;

/**
 * What the heir needs in order to take over from a holder that has fallen silent.
 *
 * @param claim of the record that makes it the heir
 * @param lease the holder's, in milliseconds
 */
public record Inheritance(Claim claim, long lease) {

    /** R10: the record's lease, not our own. */
    long leaseOver(long lastSeen) {
        return lastSeen + LeaderRecord.waitNanos(lease);
    }
}
