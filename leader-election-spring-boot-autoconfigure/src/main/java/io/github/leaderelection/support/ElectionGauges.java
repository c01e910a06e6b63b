package io.github.leaderelection.support;

import org.jspecify.annotations.Nullable;

/**
 * Values of an election for metrics, health and error responses, as this process knows them without asking ZooKeeper.
 *
 * @param connected whether the connection is established
 * @param ended whether the election was deleted
 * @param candidates the number of candidates when they were last listed
 * @param leaseMillis the remaining time of the lease; 0 unless leader, negative if leadership needs no lease
 * @param leader the id of the leader that this process follows, as it was last read; null if unknown
 */
public record ElectionGauges(
        boolean connected,
        boolean ended,
        int candidates,
        long leaseMillis,
        @Nullable String leader) {}
