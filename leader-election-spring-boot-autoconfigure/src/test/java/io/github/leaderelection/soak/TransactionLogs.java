package io.github.leaderelection.soak;

import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.ByteBufferInputStream;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.DeleteTxn;
import org.apache.zookeeper.txn.MultiTxn;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.Txn;

/**
 * What the servers have committed. A take-over is a transaction that deletes the candidate's node of another session, whose
 * life has not ended, and writes the leader's record.
 */
final class TransactionLogs {

    private static final String RECORD = ElectionAdministrator.PATH + "/" + LeaderRecord.NODE;

    private TransactionLogs() {}

    /**
     * Counts the take-overs. One server may have logged what was never committed, and another one may have skipped a part, so
     * what a majority has logged counts.
     */
    static int takeOvers(List<Path> directories) {
        Map<Long, Integer> servers = new HashMap<>();
        for (Path directory : directories) {
            read(directory).forEach(zxid -> servers.merge(zxid, 1, Integer::sum));
        }
        int majority = directories.size() / 2 + 1;
        return (int)
                servers.values().stream().filter(count -> count >= majority).count();
    }

    private static Set<Long> read(Path directory) {
        Set<Long> found = new HashSet<>();
        if (!Files.isDirectory(directory)) {
            return found;
        }
        Map<String, Long> owners = new HashMap<>();
        try (TxnLog.TxnIterator transactions = new FileTxnLog(directory.toFile()).read(0)) {
            boolean more = transactions.getHeader() != null;
            while (more) {
                long session = transactions.getHeader().getClientId();
                if (isTakeOver(transactions.getTxn(), session, owners)) {
                    found.add(transactions.getHeader().getZxid());
                }
                more = transactions.next();
            }
        } catch (IOException torn) {
            // A server that was killed may leave half a transaction, after which there is nothing.
        }
        return found;
    }

    private static boolean isTakeOver(Record transaction, long session, Map<String, Long> owners) throws IOException {
        if (transaction instanceof CreateTxn create) {
            owners.put(create.getPath(), session);
        }
        boolean deletes = false;
        boolean writes = false;
        if (transaction instanceof MultiTxn multi) {
            for (Txn part : multi.getTxns()) {
                if (part.getType() == OpCode.delete) {
                    String path = parse(part, new DeleteTxn()).getPath();
                    Long owner = owners.get(path);
                    deletes |= owner != null && !Objects.equals(owner, session) && isCandidate(path);
                } else if (part.getType() == OpCode.setData) {
                    writes |= parse(part, new SetDataTxn()).getPath().equals(RECORD);
                }
            }
        }
        return deletes && writes;
    }

    private static boolean isCandidate(String path) {
        String parent = ElectionAdministrator.PATH + "/";
        return path.startsWith(parent) && ElectionAdministrator.isCandidate(path.substring(parent.length()));
    }

    private static <T extends Record> T parse(Txn part, T target) throws IOException {
        ByteBufferInputStream.byteBuffer2Record(ByteBuffer.wrap(part.getData()), target);
        return target;
    }
}
