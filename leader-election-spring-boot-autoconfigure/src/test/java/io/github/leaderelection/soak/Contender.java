package io.github.leaderelection.soak;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** What a candidate process takes part with: the product, or the naive election that the checker has to catch. */
interface Contender extends AutoCloseable {

    boolean isLeader();

    /** The term that holds. */
    Optional<Term> term();

    /** The term that was seen last, over or not. */
    Optional<Term> lastTerm();

    /** The connection in use, for the application's own writes. */
    @Nullable
    ZooKeeper client();

    void stepDown();

    void withdrawAndReturn();

    @Override
    void close();

    /** A term, to be written with; {@code guard} is what a write to ZooKeeper is protected by. */
    record Term(long number, long token, Op guard, BooleanSupplier valid) {}
}
