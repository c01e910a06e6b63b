package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.support.Delivery;
import io.github.leaderelection.support.ElectionRegistry;
import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.engine.Engine;
import io.github.leaderelection.zookeeper.engine.Loop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/** What the elections of one connection share. */
record EngineContext(
        ElectionRegistry<ZooKeeperElection> elections,
        Loop loop,
        Engine engine,
        Clock clock,
        ConnectionGate gate,
        Delivery delivery,
        CandidateIds candidateIds) {

    <T> CompletableFuture<T> onLoop(Supplier<CompletableFuture<T>> request) {
        return CompletableFuture.supplyAsync(request, loop).thenCompose(Function.identity());
    }

    /**
     * Waits for an answer from ZooKeeper.
     *
     * @param operation describes the operation in messages, together with {@code subject}
     * @throws ElectionConnectionException if no answer arrives in time, or the caller is interrupted
     */
    static <T> T await(CompletableFuture<T> answer, Duration timeout, String operation, Object subject) {
        try {
            return answer.get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new ElectionConnectionException(
                    "%s %s was not confirmed by ZooKeeper within %s".formatted(operation, subject, timeout));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ElectionConnectionException(
                    "%s %s was interrupted; it continues in the background".formatted(operation, subject));
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause
                    ? cause
                    : new ElectionException("%s %s failed".formatted(operation, subject), failed);
        }
    }
}
