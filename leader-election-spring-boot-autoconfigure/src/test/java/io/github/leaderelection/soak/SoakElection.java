package io.github.leaderelection.soak;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** The election that a candidate process takes part in: the library's, or a naive one that the checker has to catch. */
interface SoakElection extends AutoCloseable {

    boolean isLeader();

    /** The current term. */
    Optional<Term> term();

    /** The last term, whether it has ended or not. */
    Optional<Term> lastTerm();

    /** The connection in use, for the application's own writes. */
    @Nullable
    ZooKeeper client();

    void stepDown();

    void withdrawAndReturn();

    /** Asks for a hand-over to a candidate. */
    void handOver(String candidateId);

    @Override
    void close();

    /** @param guard protects a write to ZooKeeper */
    record Term(long number, long token, Op guard, BooleanSupplier valid) {}
}
