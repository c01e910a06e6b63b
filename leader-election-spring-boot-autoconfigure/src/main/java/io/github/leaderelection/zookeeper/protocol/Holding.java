package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import org.apache.zookeeper.data.Stat;

/**
 * What the record says while it names our node.
 *
 * @param version the record's
 * @param token the fencing token of the term
 * @param lease the lease in the record, which others wait for, in milliseconds
 * @param heir the node name of the heir; empty if there is none
 * @param requested whether a client has asked for this term
 */
public record Holding(int version, long token, long lease, String heir, boolean requested) {

    /** A version that no record has. */
    private static final int UNREAD = Integer.MIN_VALUE;

    /** R25: the token comes from the same read that names us. */
    static Holding of(LeaderRecord record, Stat stat) {
        long token = record.token(stat.getMzxid());
        return new Holding(stat.getVersion(), token, record.lease(), record.heir(), record.requested());
    }

    /** The record as the holder writes it. */
    byte[] record(String holder, String heir) {
        return LeaderRecord.held(holder, heir, token, lease)
                .requested(requested)
                .toJson();
    }

    /** After the heir was written into the record. */
    Holding appointed(String heir) {
        return new Holding(version + 1, token, lease, heir, requested);
    }

    /** After the record was created again: its versions start anew, so the known version may recur. */
    Holding unread() {
        return new Holding(UNREAD, token, lease, heir, requested);
    }

    /** The same term, with what the record says now. An equal name is kept, because there may be thousands of them. */
    Holding read(LeaderRecord record, Stat stat) {
        String read = record.heir().equals(heir) ? heir : record.heir();
        return new Holding(stat.getVersion(), token, record.lease(), read, record.requested());
    }
}
