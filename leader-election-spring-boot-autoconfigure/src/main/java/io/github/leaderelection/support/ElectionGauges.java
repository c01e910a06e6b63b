package io.github.leaderelection.support;

/**
 * What an election of this process shows of itself to those who watch over it; found out without asking anybody.
 *
 * @param connected whether it could be changed now
 * @param ended whether it was deleted
 * @param candidates how many there were when they were last listed
 * @param leaseMillis how much of the lease is left; 0 unless leader, negative where leadership needs no lease
 */
public record ElectionGauges(boolean connected, boolean ended, int candidates, long leaseMillis) {}
