package io.github.leaderelection.zookeeper.protocol;

import java.util.function.Consumer;

/** A builder whose settings return a changed copy, so that rows can share one. */
abstract class Fluent<B> implements Cloneable {

    @SuppressWarnings("unchecked")
    final B with(Consumer<B> change) {
        try {
            B copy = (B) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
