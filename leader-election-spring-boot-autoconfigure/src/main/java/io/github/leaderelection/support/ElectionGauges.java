package io.github.leaderelection.support;

/**
 * Values of an election for metrics and health, as this process knows them.
 *
 * @param connected whether the connection is established
 * @param ended whether the election was deleted
 * @param candidates the number of candidates when they were last listed
 * @param leaseMillis the remaining time of the lease; 0 unless leader, negative if leadership needs no lease
 */
public record ElectionGauges(boolean connected, boolean ended, int candidates, long leaseMillis) {}
