package io.github.leaderelection.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.DeleteTxn;
import org.apache.zookeeper.txn.MultiTxn;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.Txn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransactionLogsTests {

    private static final long LEADER = 1;
    private static final long HEIR = 2;
    private static final String NODE = ElectionAdministrator.PATH + "/c-one-0000000001";
    private static final String RECORD = ElectionAdministrator.PATH + "/leader";

    @TempDir
    Path directory;

    private record Entry(long session, int type, Record transaction) {}

    private static final Entry JOINED =
            new Entry(LEADER, OpCode.create, new CreateTxn(NODE, new byte[0], List.of(), true, 1));

    private static Entry multi(long session, Txn... parts) {
        return new Entry(session, OpCode.multi, new MultiTxn(Arrays.asList(parts)));
    }

    private static Txn delete() throws IOException {
        return new Txn(OpCode.delete, bytes(new DeleteTxn(NODE)));
    }

    private static Txn writeRecord() throws IOException {
        return new Txn(OpCode.setData, bytes(new SetDataTxn(RECORD, new byte[0], 1)));
    }

    private static byte[] bytes(Record record) throws IOException {
        var bytes = new ByteArrayOutputStream();
        record.serialize(BinaryOutputArchive.getArchive(bytes), "txn");
        return bytes.toByteArray();
    }

    private Path server(int id, Entry... entries) throws IOException {
        Path logs = Files.createDirectories(directory.resolve("server-" + id));
        try (FileTxnLog log = new FileTxnLog(logs.toFile())) {
            for (int i = 0; i < entries.length; i++) {
                Entry entry = entries[i];
                TxnHeader header = new TxnHeader(entry.session, i, i + 1, 0, entry.type);
                log.append(new Request(entry.session, i, entry.type, header, entry.transaction, i + 1));
            }
            log.commit();
        }
        return logs;
    }

    @Test
    void aTransactionThatDeletesAnothersNodeAndWritesTheRecordIsATakeOver() throws IOException {
        Entry takeOver = multi(HEIR, delete(), writeRecord());

        assertThat(TransactionLogs.takeOvers(List.of(server(1, JOINED, takeOver))))
                .isEqualTo(1);
    }

    @Test
    void itIsFoundInTheLogOfARealServer() throws Exception {
        Duration timeout = Duration.ofSeconds(10);
        try (TestServer server = new TestServer();
                ZooKeeper leader = server.connect(timeout);
                ZooKeeper heir = server.connect(timeout)) {
            for (String path : List.of(ElectionAdministrator.ROOT, ElectionAdministrator.PATH, RECORD)) {
                leader.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
            String prefix = ElectionAdministrator.PATH + "/c-one-";
            String node =
                    leader.create(prefix, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
            heir.multi(List.of(Op.delete(node, -1), Op.setData(RECORD, new byte[0], 0)));
            Path logs = server.server().getTxnLogFactory().getDataLogDir().toPath();

            assertThat(TransactionLogs.takeOvers(List.of(logs))).isEqualTo(1);
        }
    }

    @Test
    void aHandOverIsNone() throws IOException {
        Entry handOver = multi(LEADER, delete(), writeRecord());

        assertThat(TransactionLogs.takeOvers(List.of(server(1, JOINED, handOver))))
                .isZero();
    }

    @Test
    void aClaimAndTheDeletionByAnAdministratorAreNone() throws IOException {
        Entry claim = multi(HEIR, writeRecord());
        Entry deletion = new Entry(3, OpCode.delete, new DeleteTxn(NODE));

        assertThat(TransactionLogs.takeOvers(List.of(server(1, JOINED, deletion, claim))))
                .isZero();
    }

    @Test
    void whatOnlyOneOfThreeServersHasLoggedDoesNotCount() throws IOException {
        Entry takeOver = multi(HEIR, delete(), writeRecord());
        Path without = server(1, JOINED);
        Path with = server(2, JOINED, takeOver);
        Path missing = directory.resolve("server-3");

        assertThat(TransactionLogs.takeOvers(List.of(without, with, missing))).isZero();
        assertThat(TransactionLogs.takeOvers(List.of(without, with, server(3, JOINED, takeOver))))
                .isEqualTo(1);
    }
}
