package io.github.leaderelection.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;

/**
 * A port for a server that may be stopped and started again, or is another process. It lies below those that the system
 * gives away: one of these could be somebody else's connection in the meantime. None is given twice: it looks free until
 * its server listens.
 */
final class FreePort {

    private static final PrimitiveIterator.OfInt PORTS = new SplittableRandom()
            .ints(12_000, 32_000)
            .distinct()
            .filter(FreePort::isFree)
            .iterator();

    private FreePort() {}

    static synchronized int pick() {
        return PORTS.nextInt();
    }

    private static boolean isFree(int port) {
        try (ServerSocket monitor = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return monitor.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
