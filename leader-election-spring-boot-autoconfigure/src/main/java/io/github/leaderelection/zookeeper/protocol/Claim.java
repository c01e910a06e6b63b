package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;

/**
 * What a candidate has to know about the record that it is about to replace.
 *
 * @param version the record's; {@link #NO_RECORD} if there is none
 * @param token the fencing token of the term; 0 stands for the zxid of the claim itself
 * @param lease the last holder's, which others wait for, in milliseconds; 0 if there is no record that can be read
 */
public record Claim(int version, long token, long lease) {

    /** The version of a record that does not exist. */
    public static final int NO_RECORD = -1;

    /**
     * R25: the token exceeds that of the record and the zxid that wrote the record, so it grows even if others wrote
     * the record. Tokens of candidates' nodes would not grow: candidates need not lead in the order of the queue.
     */
    static Claim of(Reply reply) {
        if (reply.noNode()) {
            return new Claim(NO_RECORD, 0, 0);
        }
        LeaderRecord record = LeaderRecord.parse(reply.data()).orElse(null);
        long token = Math.max(reply.stat().getMzxid(), record == null ? 0 : record.token()) + 1;
        return new Claim(reply.stat().getVersion(), token, record == null ? 0 : record.lease());
    }
}
